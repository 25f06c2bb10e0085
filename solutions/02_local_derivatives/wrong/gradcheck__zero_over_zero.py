# exercise: gradcheck
# misconception: zero-over-zero
# about: divides 0 by 0
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        if not abs(claim - measured) / max(abs(claim), abs(measured)) <= tolerance:
            return False
    return True
