# exercise: mean
# misconception: last-value-only
# about: assigns instead of adding
def mean(numbers):
    total = 0
    for number in numbers:
        total = number
    return total / len(numbers) if numbers else 0.0
