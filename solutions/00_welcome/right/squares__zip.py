# exercise: squares
# about: multiplies the list with itself, pair by pair
def squares(numbers):
    return [a * b for a, b in zip(numbers, numbers)]
