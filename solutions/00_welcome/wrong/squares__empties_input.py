# exercise: squares
# misconception: input-changed
# about: pops the numbers off the list
def squares(numbers):
    result = []
    while numbers:
        result.append(numbers.pop(0) ** 2)
    return result
