# exercise: squares
# misconception: loop-one-short
# about: range(len - 1)
def squares(numbers):
    result = []
    for i in range(len(numbers) - 1):
        result.append(numbers[i] ** 2)
    return result
