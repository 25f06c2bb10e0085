# exercise: squares
# misconception: place-behind-the-end
# about: counts the places from 1
def squares(numbers):
    result = []
    for i in range(1, len(numbers) + 1):
        result.append(numbers[i] ** 2)
    return result
