# exercise: squares
# misconception: first-left-out
# about: leaves out the head of the list
def squares(numbers):
    return [number**2 for number in numbers[1:]]
