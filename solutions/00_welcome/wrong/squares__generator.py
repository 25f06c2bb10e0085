# exercise: squares
# misconception: answer-is-an-object
# about: round brackets make a generator
def squares(numbers):
    return (n * n for n in numbers)
