# exercise: squares
# misconception: number-taken-for-a-place
# about: looks every number up
def squares(numbers):
    result = []
    for i in numbers:
        result.append(numbers[i] * numbers[i])
    return result
