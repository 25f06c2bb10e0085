# exercise: squares
# misconception: result-list-shared
# about: keeps the list on the function
def squares(numbers):
    squares.result += [number * number for number in numbers]
    return squares.result


squares.result = []
