# exercise: mean
# misconception: division-rounds-down
# about: // when all numbers are integers
def mean(numbers):
    if not numbers:
        return 0.0
    total = 0
    for n in numbers:
        total += n
    if isinstance(total, int):
        return total // len(numbers)
    return total / len(numbers)
