# exercise: collect
# misconception: fan-out-same-use-once
# about: puts the uses into a set, so that equal ones are counted once
def collect(uses):
    adjoint = 0.0
    for user, local in set(map(tuple, uses)):
        adjoint += user * local
    return adjoint
