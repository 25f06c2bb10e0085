# exercise: gradcheck
# misconception: error-without-size
# about: the size keeps its sign
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        if claim == measured:
            continue
        if not abs(claim - measured) / max(claim, measured) <= tolerance:
            return False
    return True
