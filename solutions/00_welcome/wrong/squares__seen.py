# exercise: squares
# misconception: equal-values-taken-for-one
# about: leaves out what is there already
def squares(numbers):
    result = []
    for number in numbers:
        if number**2 not in result:
            result.append(number**2)
    return result
