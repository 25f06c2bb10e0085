# exercise: mean
# misconception: absolute-value-lost
# about: adds the sizes up
def mean(numbers):
    if not numbers:
        return 0.0
    return sum(abs(number) for number in numbers) / len(numbers)
