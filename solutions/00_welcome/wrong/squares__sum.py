# exercise: squares
# misconception: added-up-not-collected
# about: returns the sum of the squares
def squares(numbers):
    return sum(number * number for number in numbers)
