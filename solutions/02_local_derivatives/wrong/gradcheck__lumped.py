# exercise: gradcheck
# misconception: gradcheck-lumps-partials
# about: divides every difference by the largest partial
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = list(partials(*inputs))
    measured = []
    for index in range(len(inputs)):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured.append((f(*up) - f(*down)) / (2 * h))
    size = max(map(abs, claims + measured))
    return all(abs(c - m) <= tolerance * size for c, m in zip(claims, measured))
