# exercise: central_difference
# unnamed: yes
# about: the formula of the second derivative
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return (f(*up) - 2 * f(*inputs) + f(*down)) / h**2
