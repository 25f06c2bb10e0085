# exercise: squares
# misconception: result-list-shared
# about: the result list is made once, outside the function
result = []


def squares(numbers):
    for n in numbers:
        result.append(n * n)
    return result
