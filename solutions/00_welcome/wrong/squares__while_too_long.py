# exercise: squares
# misconception: place-behind-the-end
# about: goes on until the place is the length
def squares(numbers):
    result, place = [], 0
    while place <= len(numbers):
        result.append(numbers[place] * numbers[place])
        place += 1
    return result
