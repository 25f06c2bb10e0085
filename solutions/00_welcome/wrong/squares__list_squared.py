# exercise: squares
# misconception: list-taken-for-a-number
# about: squares the list
def squares(numbers):
    return numbers**2
