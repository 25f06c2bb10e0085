# exercise: squares
# misconception: nothing-returned
# about: returns what append gives
def squares(numbers):
    result = []
    for number in numbers:
        return result.append(number**2)
    return result
