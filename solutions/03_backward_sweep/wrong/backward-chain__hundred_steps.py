# exercise: backward-chain
# unnamed: a loop with a fixed end
# about: takes at most 100 steps
def backward_chain(root):
    root.grad = 1.0
    node = root
    for _ in range(100):
        if not node.operands:
            break
        node.operands[0].grad = node.grad * node.partials[0]
        node = node.operands[0]
