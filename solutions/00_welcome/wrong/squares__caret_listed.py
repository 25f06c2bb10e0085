# exercise: squares
# misconception: power-written-with-caret
# about: the power sign of a spreadsheet, in a comprehension
def squares(numbers):
    return list(map(lambda n: n ^ 2, numbers))
