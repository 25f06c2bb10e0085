# exercise: gradcheck
# misconception: tolerance-ignored
# about: a tolerance of five hundredths of its own
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        if not abs(claim - measured) <= 0.05 * max(abs(claim), abs(measured)):
            return False
    return True
