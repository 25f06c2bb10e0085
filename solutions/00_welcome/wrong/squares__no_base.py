# exercise: squares
# misconception: empty-input-forgotten
# about: a recursion without an end
def squares(numbers):
    return [numbers[0] ** 2] + squares(numbers[1:])
