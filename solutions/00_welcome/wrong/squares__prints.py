# exercise: squares
# misconception: nothing-returned
# about: prints the list
def squares(numbers):
    print([number * number for number in numbers])
