# exercise: squares
# misconception: doubled-not-squared
# about: 2 * n for n squared
def squares(numbers):
    return [2 * number for number in numbers]
