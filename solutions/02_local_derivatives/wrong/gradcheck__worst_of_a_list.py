# exercise: gradcheck
# misconception: nan-passes
# about: max passes over nan
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    errors = [0.0]
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        size = max(abs(claim), abs(measured))
        errors.append(abs(claim - measured) / size if size else 0.0)
    return max(errors) <= tolerance
