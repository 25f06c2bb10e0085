# exercise: squares
# about: returns a tuple, by map
def squares(numbers):
    return tuple(map(lambda n: n * n, numbers))
