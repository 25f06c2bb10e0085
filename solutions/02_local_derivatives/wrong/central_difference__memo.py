# exercise: central_difference
# hidden-only: wrong only for a second function at the same inputs
# about: remembers slopes by inputs, not by function
memo = {}


def central_difference(f, inputs, index, h):
    key = (tuple(inputs), index, h)
    if key not in memo:
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        memo[key] = (f(*up) - f(*down)) / (2 * h)
    return memo[key]
