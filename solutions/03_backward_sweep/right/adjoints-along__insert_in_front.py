# exercise: adjoints-along
# about: inserts each adjoint at the front of a list of whole numbers
def adjoints_along(partials):
    out = [1]
    for i in range(len(partials) - 1, -1, -1):
        out.insert(0, out[0] * partials[i])
    return out
