# exercise: squares
# misconception: input-changed
# about: writes the squares into the list it was given
def squares(numbers):
    for i in range(len(numbers)):
        numbers[i] = numbers[i] ** 2
    return numbers
