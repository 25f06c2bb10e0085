# exercise: backward-chain
# misconception: zero-taken-for-none
# about: stops where nothing is left to hand on
def backward_chain(root):
    node = root
    node.grad = 1.0
    while node.operands:
        if not node.grad:
            break
        node.operands[0].grad = node.grad * node.partials[0]
        node = node.operands[0]
