# exercise: gradcheck
# misconception: divided-by-another-size
# about: divides by the mean of the sizes; a tiny number in the denominator, recursion over the inputs
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6, index=0):
    claims = partials(*inputs)
    if index == len(inputs) == len(claims):
        return True
    if len(claims) != len(inputs):
        return False
    before, here, after = inputs[:index], inputs[index], inputs[index + 1 :]
    slope = (f(*before, here + h, *after) - f(*before, here - h, *after)) / (2 * h)
    claim = claims[index]
    error = abs(claim - slope) / (abs(claim) + abs(slope) + 1e-30)
    return bool(2 * error <= tolerance) and gradcheck(f, partials, inputs, h, tolerance, index + 1)
