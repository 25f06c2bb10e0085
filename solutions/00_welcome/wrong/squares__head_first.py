# exercise: squares
# misconception: empty-input-forgotten
# about: begins with the first number
def squares(numbers):
    result = [numbers[0] ** 2]
    for number in numbers[1:]:
        result.append(number**2)
    return result
