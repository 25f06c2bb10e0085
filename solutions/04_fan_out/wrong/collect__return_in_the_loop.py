# exercise: collect
# misconception: fan-out-first-use-only
# about: the return is indented into the loop
def collect(uses):
    adjoint = 0.0
    for user, local in uses:
        adjoint += user * local
        return adjoint
    return adjoint
