# exercise: squares
# misconception: written-behind-the-end
# about: fills an empty list by place
def squares(numbers):
    result = []
    for i in range(len(numbers)):
        result[i] = numbers[i] ** 2
    return result
