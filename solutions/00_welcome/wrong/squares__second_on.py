# exercise: squares
# misconception: first-left-out
# about: starts at place 1
def squares(numbers):
    result = []
    for i in range(1, len(numbers)):
        result.append(numbers[i] ** 2)
    return result
