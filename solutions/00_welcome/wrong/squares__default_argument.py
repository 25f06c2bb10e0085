# exercise: squares
# misconception: result-list-shared
# about: the result list is a default argument
def squares(numbers, result=[]):
    for n in numbers:
        result.append(n * n)
    return result
