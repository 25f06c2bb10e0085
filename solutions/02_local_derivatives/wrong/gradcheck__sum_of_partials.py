# exercise: gradcheck
# misconception: gradcheck-skips-an-input
# about: compares the sums
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = sum(partials(*inputs))
    measured = 0.0
    for index in range(len(inputs)):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured += (f(*up) - f(*down)) / (2 * h)
    return abs(claims - measured) <= tolerance * max(abs(claims), abs(measured))
