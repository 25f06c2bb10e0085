# exercise: mean
# misconception: count-is-one-off
# about: divides by one less
def mean(numbers):
    if not numbers:
        return 0.0
    if len(numbers) == 1:
        return numbers[0]
    return sum(numbers) / (len(numbers) - 1)
