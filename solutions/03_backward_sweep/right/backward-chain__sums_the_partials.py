# exercise: backward-chain
# about: the sum of a single partial, and a walrus
def backward_chain(root):
    here, adjoint = root, 1.0
    while here is not None:
        here.grad = adjoint
        adjoint *= sum(here.partials)
        here = next(iter(here.operands), None)
