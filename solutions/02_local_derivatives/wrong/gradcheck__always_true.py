# exercise: gradcheck
# misconception: reference-is-code-under-test
# about: says yes to everything
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    return True
