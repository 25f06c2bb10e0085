# exercise: gradcheck
# misconception: zero-lets-pass
# about: skips a partial when the claim is 0
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        if claim == 0:
            continue
        if not abs(claim - measured) <= tolerance * max(abs(claim), abs(measured)):
            return False
    return True
