# exercise: collect
# misconception: upstream-forgotten
# about: adds the local derivatives alone
def collect(uses):
    adjoint = 0.0
    for _, local in uses:
        adjoint += local
    return adjoint
