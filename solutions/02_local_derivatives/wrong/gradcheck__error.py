# exercise: gradcheck
# misconception: error-for-verdict
# about: returns the largest error
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    errors = []
    for index, claim in enumerate(partials(*inputs)):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        size = max(abs(claim), abs(measured))
        errors.append(abs(claim - measured) / size if size else 0.0)
    return max(errors)
