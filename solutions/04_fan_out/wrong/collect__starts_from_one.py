# exercise: collect
# misconception: fan-out-starts-from-one
# about: the sum begins with 1, as the root's adjoint does
def collect(uses):
    adjoint = 1.0
    for user, local in uses:
        adjoint += user * local
    return adjoint
