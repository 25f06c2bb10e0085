# exercise: central_difference
# misconception: difference-one-sided
# about: compares with the value at the point
def central_difference(f, inputs, index, h):
    here = f(*inputs)
    above = f(*[x + h if place == index else x for place, x in enumerate(inputs)])
    return (above - here) / h
