# exercise: squares
# misconception: input-changed
# about: clears the list that it was given
def squares(numbers):
    result = [n * n for n in numbers]
    numbers.clear()
    return result
