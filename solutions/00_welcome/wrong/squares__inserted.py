# exercise: squares
# misconception: order-not-kept
# about: puts each result in front
def squares(numbers):
    result = []
    for number in numbers:
        result.insert(0, number * number)
    return result
