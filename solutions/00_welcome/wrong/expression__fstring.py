# exercise: expression
# misconception: result-as-text
# about: returns a sentence with the result in it
def expression(x, y):
    return f"the result is {(x + y) * y:.2f}"
