# exercise: backward
# unnamed: a formula for chains, in place of a sweep
# about: one step after the other along the first operand, as if every graph were a chain with doubled steps
def backward(root):
    root.grad += 1.0
    while root.operands:
        below = root.operands[0]
        below.grad, root = sum(root.partials) * root.grad, below
