# exercise: backward-chain
# misconception: record-changed-by-sweep
# about: empties the partials when they are used
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        node.operands[0].grad = node.grad * node.partials[0]
        node.partials = ()
        node = node.operands[0]
