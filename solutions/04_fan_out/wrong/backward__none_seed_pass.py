# exercise: backward
# misconception: fan-out-direct-path-only
# about: serves the operands of the root and stops
def backward(root):
    for o, p in zip(root.operands, root.partials):
        o.grad += p
