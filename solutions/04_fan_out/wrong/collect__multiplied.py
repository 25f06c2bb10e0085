# exercise: collect
# misconception: fan-out-paths-multiplied
# about: multiplies everything, across uses too
def collect(uses):
    adjoint = 1.0
    for user, local in uses:
        adjoint *= user * local
    return adjoint
