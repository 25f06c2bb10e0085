# exercise: squares
# misconception: last-value-only
# about: a new list in every round
def squares(numbers):
    for n in numbers:
        result = []
        result.append(n * n)
    return result
