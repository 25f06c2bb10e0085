# exercise: collect
# misconception: input-changed
# about: pops the uses off the list that belongs to the caller
def collect(uses):
    adjoint = 0.0
    while uses:
        user, local = uses.pop()
        adjoint += user * local
    return adjoint
