# exercise: squares
# misconception: results-not-kept
# about: computes each square and goes on
def squares(numbers):
    result = []
    for number in numbers:
        number * number
    return result
