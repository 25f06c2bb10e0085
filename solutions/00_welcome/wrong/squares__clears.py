# exercise: squares
# misconception: result-list-shared
# about: empties and fills one list for all calls
result = []


def squares(numbers):
    result.clear()
    for n in numbers:
        result.append(n * n)
    return result
