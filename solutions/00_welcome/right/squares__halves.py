# exercise: squares
# about: a recursion that halves the list
def squares(numbers):
    if len(numbers) < 2:
        return [number * number for number in numbers]
    middle = len(numbers) // 2
    return squares(numbers[:middle]) + squares(numbers[middle:])
