# exercise: squares
# misconception: list-taken-for-a-number
# about: repeats the list
def squares(numbers):
    return numbers * 2
