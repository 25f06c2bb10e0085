# exercise: mean
# misconception: division-rounds-down
# about: mends the empty list only
def mean(numbers):
    if not numbers:
        return 0.0
    return sum(numbers) // len(numbers)
