# exercise: squares
# misconception: result-rounded
# about: rounds every square to two digits
def squares(numbers):
    return [round(number * number, 2) for number in numbers]
