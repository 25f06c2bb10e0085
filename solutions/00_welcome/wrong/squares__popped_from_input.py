# exercise: squares
# misconception: input-changed
# about: takes the numbers out of the given list
def squares(numbers):
    result = []
    while numbers:
        result.append(numbers.pop(0) ** 2)
    return result
