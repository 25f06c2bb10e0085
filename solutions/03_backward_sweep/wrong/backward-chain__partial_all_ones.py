# exercise: backward-chain
# misconception: local-derivative-forgotten
# about: hands the seed down as it is
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        node = node.operands[0]
        node.grad = root.grad
