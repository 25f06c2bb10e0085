# exercise: expression
# unnamed: yes
# about: takes the absolute value of the result
def expression(x, y):
    return abs((x + y) * y)
