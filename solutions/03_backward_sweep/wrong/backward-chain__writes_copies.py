# exercise: backward-chain
# misconception: adjoints-not-written
# about: writes the grad of copies
def backward_chain(root):
    import copy
    node = copy.copy(root)
    node.grad = 1.0
    while node.operands:
        below = copy.copy(node.operands[0])
        below.grad = node.grad * node.partials[0]
        node = below
