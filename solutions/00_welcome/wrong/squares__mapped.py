# exercise: squares
# misconception: answer-is-an-object
# about: returns the map
def squares(numbers):
    return map(lambda number: number**2, numbers)
