# exercise: expression
# misconception: example-written-in
# about: gives the inputs the numbers of the example
def expression(x: float, y: float) -> float:
    x = 2.0
    y = 3.0
    return (x + y) * y
