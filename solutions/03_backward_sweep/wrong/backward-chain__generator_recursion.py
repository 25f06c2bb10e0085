# exercise: backward-chain
# misconception: sweep-recurses
# about: a generator that yields from itself
def backward_chain(root):
    def down(node, adjoint):
        yield node, adjoint
        for below, partial in zip(node.operands, node.partials):
            yield from down(below, adjoint * partial)
    for node, adjoint in down(root, 1.0):
        node.grad = adjoint
