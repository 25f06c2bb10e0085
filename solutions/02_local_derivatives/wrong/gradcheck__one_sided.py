# exercise: gradcheck
# misconception: gradcheck-one-sided
# about: a one-sided difference
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*inputs)) / h
        if not abs(claim - measured) <= tolerance * max(abs(claim), abs(measured)):
            return False
    return True
