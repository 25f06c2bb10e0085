# exercise: squares
# misconception: count-taken-for-a-list
# about: loops over the length
def squares(numbers):
    result = []
    for i in len(numbers):
        result.append(numbers[i] ** 2)
    return result
