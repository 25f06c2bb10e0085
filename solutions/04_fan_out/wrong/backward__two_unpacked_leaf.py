# exercise: backward
# misconception: sweep-expects-two-operands
# about: unpacks two operands of leaves, too
def backward(root):
    root.grad = 1.0
    ready = [root]
    while ready:
        n = ready.pop()
        left, right = n.operands
        left.grad += n.grad * n.partials[0]
        right.grad += n.grad * n.partials[1]
        ready += [left, right]
