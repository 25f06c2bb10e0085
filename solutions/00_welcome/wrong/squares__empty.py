# exercise: squares
# misconception: empty-input-forgotten
# about: starts with the first number
def squares(numbers):
    result = [numbers[0] ** 2]
    for n in numbers[1:]:
        result.append(n * n)
    return result
