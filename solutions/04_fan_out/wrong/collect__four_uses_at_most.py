# exercise: collect
# hidden-only: wrong from the fifth use on; the visible test goes up to three
# about: a slice with a fixed end
def collect(uses):
    adjoint = 0.0
    for user, local in uses[:4]:
        adjoint += user * local
    return adjoint
