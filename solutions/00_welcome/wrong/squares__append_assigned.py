# exercise: squares
# misconception: append-returns-nothing
# about: assigns what append gives
def squares(numbers):
    result = []
    for number in numbers:
        result = result.append(number**2)
    return result
