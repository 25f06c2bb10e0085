# exercise: mean
# about: mends the loop it was given
def mean(numbers):
    total = 0
    for number in numbers:
        total = total + number
    return total / len(numbers) if len(numbers) > 0 else 0.0
