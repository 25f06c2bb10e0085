# exercise: squares
# misconception: results-not-kept
# about: gives the loop's name a new value
def squares(numbers):
    for number in numbers:
        number = number**2
    return numbers
