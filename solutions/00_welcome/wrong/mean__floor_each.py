# exercise: mean
# misconception: division-rounds-down
# about: rounds every part down
def mean(numbers):
    total = 0.0
    for number in numbers:
        total += number // len(numbers)
    return total
