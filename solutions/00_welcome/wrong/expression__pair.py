# exercise: expression
# unnamed: yes
# about: returns both steps
def expression(x, y):
    return x + y, (x + y) * y
