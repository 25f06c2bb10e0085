# exercise: collect
# misconception: fan-out-overwritten
# about: `=` in place of `+=` inside the loop
def collect(uses):
    adjoint = 0.0
    for user, local in uses:
        adjoint = user * local
    return adjoint
