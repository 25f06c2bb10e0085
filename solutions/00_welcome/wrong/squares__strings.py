# exercise: squares
# misconception: result-as-text
# about: makes strings of the results
def squares(numbers):
    return [str(number**2) for number in numbers]
