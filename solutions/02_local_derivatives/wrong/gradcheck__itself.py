# exercise: gradcheck
# misconception: reference-is-code-under-test
# about: compares the claim with the claim
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    reference = partials(*inputs)
    return all(abs(claim - right) <= tolerance for claim, right in zip(partials(*inputs), reference))
