# exercise: squares
# misconception: return-inside-the-loop
# about: unpacks the first number
def squares(numbers):
    for number in numbers:
        square = number * number
        return [square]
    return []
