# exercise: squares
# hidden-only: wrong only when two results are kept side by side
# about: empties and fills one list for all calls
result = []


def squares(numbers):
    result.clear()
    for n in numbers:
        result.append(n * n)
    return result
