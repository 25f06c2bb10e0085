# exercise: squares
# misconception: place-taken-for-a-number
# about: squares the places
def squares(numbers):
    result = []
    for place in range(len(numbers)):
        result.append(place**2)
    return result
