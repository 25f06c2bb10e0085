# exercise: backward-chain
# about: while True, left by the error of an unpacking
def backward_chain(root):
    adjoint, node = 1, root
    while True:
        node.grad = adjoint
        try:
            (below,), (partial,) = node.operands, node.partials
        except ValueError:
            return
        adjoint, node = adjoint * partial, below
