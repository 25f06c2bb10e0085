# exercise: squares
# misconception: last-value-only
# about: overwrites the result in every round
def squares(numbers):
    result = None
    for number in numbers:
        result = number * number
    return result
