# exercise: collect
# misconception: fan-out-stops-at-two
# about: written for "used twice": a first use and perhaps a second
def collect(uses):
    adjoint = 0.0
    if len(uses) > 0:
        adjoint += uses[0][0] * uses[0][1]
    if len(uses) > 1:
        adjoint += uses[1][0] * uses[1][1]
    return adjoint
