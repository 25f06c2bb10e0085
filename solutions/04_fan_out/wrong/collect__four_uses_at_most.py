# exercise: collect
# unnamed: four is nobody's idea
# about: a slice with a fixed end
def collect(uses):
    adjoint = 0.0
    for user, local in uses[:4]:
        adjoint += user * local
    return adjoint
