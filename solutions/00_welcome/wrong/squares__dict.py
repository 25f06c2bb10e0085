# exercise: squares
# misconception: equal-values-taken-for-one
# about: collects in a dict from number to square
def squares(numbers):
    return list({n: n * n for n in numbers}.values())
