# exercise: gradcheck
# unnamed: yes
# about: a verdict for each input
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    verdicts = []
    for index, claim in enumerate(partials(*inputs)):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        verdicts.append(abs(claim - measured) <= tolerance * max(abs(claim), abs(measured)))
    return verdicts
