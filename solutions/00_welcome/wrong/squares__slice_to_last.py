# exercise: squares
# misconception: loop-one-short
# about: leaves out the last of the list
def squares(numbers):
    return [number * number for number in numbers[:-1]]
