# exercise: mean
# misconception: result-rounded
# about: cuts every number off
def mean(numbers):
    total = 0
    for number in numbers:
        total += int(number)
    return total / max(len(numbers), 1)
