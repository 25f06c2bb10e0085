# exercise: squares
# misconception: absolute-value-lost
# about: a negative number keeps its sign
def squares(numbers):
    result = []
    for number in numbers:
        if number < 0:
            result.append(-(number**2))
        else:
            result.append(number**2)
    return result
