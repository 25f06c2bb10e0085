# exercise: central_difference
# misconception: difference-ignores-step
# about: always steps by 1
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += 1
    down[index] -= 1
    return (f(*up) - f(*down)) / 2
