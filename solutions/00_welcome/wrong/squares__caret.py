# exercise: squares
# misconception: power-written-with-caret
# about: the power sign of a spreadsheet
def squares(numbers):
    result = []
    for number in numbers:
        result.append(number ^ 2)
    return result
