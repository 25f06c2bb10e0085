# exercise: collect
# misconception: empty-input-forgotten
# about: None stands for a value that nobody uses
def collect(uses):
    adjoint = None
    for u, l in uses:
        adjoint = u * l if adjoint is None else adjoint + u * l
    return adjoint
