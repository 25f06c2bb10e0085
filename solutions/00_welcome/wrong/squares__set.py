# exercise: squares
# misconception: equal-values-taken-for-one
# about: a set comprehension
def squares(numbers):
    return {number * number for number in numbers}
