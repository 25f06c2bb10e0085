# exercise: mean
# misconception: division-rounds-down
# about: catches the error and leaves the //
def mean(numbers):
    total = 0
    for number in numbers:
        total = total + number
    try:
        return total // len(numbers)
    except ZeroDivisionError:
        return 0.0
