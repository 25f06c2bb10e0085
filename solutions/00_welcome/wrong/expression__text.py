# exercise: expression
# misconception: result-as-text
# about: returns a formatted text
def expression(x, y):
    return f"{(x + y) * y}"
