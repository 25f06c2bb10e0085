# exercise: squares
# misconception: order-not-kept
# about: sorts what goes in
def squares(numbers):
    result = []
    for number in sorted(numbers):
        result.append(number**2)
    return result
