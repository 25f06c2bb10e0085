# exercise: backward
# points: 3
# misconception: two-operands-expected
# about: unpacks two operands
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.operands:
            left, right = node.operands
            p, q = node.partials
            if left.requires_grad:
                left.grad = node.grad * p
                waiting.append(left)
            if right.requires_grad:
                right.grad = node.grad * q
                waiting.append(right)
