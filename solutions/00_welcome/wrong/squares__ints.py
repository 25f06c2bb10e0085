# exercise: squares
# misconception: result-rounded
# about: makes integers of the squares
def squares(numbers):
    return [int(number * number) for number in numbers]
