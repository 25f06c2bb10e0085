# exercise: collect
# misconception: fan-out-zero-taken-for-none
# about: takes a contribution of exactly zero for the end of the list
def collect(uses):
    adjoint = 0.0
    for user, local in uses:
        if user * local == 0.0:
            break
        adjoint += user * local
    return adjoint
