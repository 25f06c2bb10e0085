# exercise: collect
# misconception: empty-input-forgotten
# about: starts from the first pair
def collect(uses):
    adjoint = uses[0][0] * uses[0][1]
    for u, l in uses[1:]:
        adjoint += u * l
    return adjoint
