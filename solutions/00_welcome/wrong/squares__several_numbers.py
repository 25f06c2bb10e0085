# exercise: squares
# misconception: parameters-of-its-own
# about: a parameter for each number
def squares(first, second, third):
    return [first**2, second**2, third**2]
