# exercise: central_difference
# unnamed: yes
# about: adds the two values
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return (f(*up) + f(*down)) / (2 * h)
