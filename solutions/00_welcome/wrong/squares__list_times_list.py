# exercise: squares
# misconception: list-taken-for-a-number
# about: multiplies the list by itself
def squares(numbers):
    result = numbers * numbers
    return result
