# exercise: squares
# misconception: input-changed
# about: takes a second name for a copy
def squares(numbers):
    result = numbers
    for place in range(len(result)):
        result[place] = result[place] ** 2
    return result
