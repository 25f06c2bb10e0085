# exercise: squares
# misconception: order-not-kept
# about: sorts what comes out
def squares(numbers):
    return sorted(number * number for number in numbers)
