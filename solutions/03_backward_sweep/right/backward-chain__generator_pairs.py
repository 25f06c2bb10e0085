# exercise: backward-chain
# about: a generator walks down the chain
def backward_chain(root):
    def pairs(node):
        while len(node.operands) > 0:
            yield node, node.operands[0], node.partials[0]
            node = node.operands[0]

    root.grad = 1.0
    for above, below, partial in pairs(root):
        below.grad = partial * above.grad
