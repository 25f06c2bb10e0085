# exercise: squares
# about: counts the places by itself
def squares(numbers):
    out = [0.0] * len(numbers)
    i = 0
    while i < len(numbers):
        out[i] = numbers[i] ** 2
        i += 1
    return out
