# exercise: squares
# misconception: order-not-kept
# about: takes the numbers from the end of a copy
def squares(numbers):
    left, result = list(numbers), []
    while left:
        result.append(left.pop() ** 2)
    return result
