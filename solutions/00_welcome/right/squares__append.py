# exercise: squares
# about: collects in a loop
def squares(numbers):
    result = []
    for number in numbers:
        result.append(number**2)
    return result
