# exercise: gradcheck
# misconception: gradcheck-ignores-signs
# about: compares the sizes of claim and measurement
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        if not abs(abs(claim) - abs(measured)) <= tolerance * max(abs(claim), abs(measured)):
            return False
    return True
