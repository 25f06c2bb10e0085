# exercise: backward
# misconception: sweep-once-per-path
# points: 14
# about: every path again, without recursion
def backward(root):
    stack = [(root, 1.0)]
    while stack:
        node, contribution = stack.pop()
        node.grad += contribution
        for operand, partial in zip(node.operands, node.partials):
            stack.append((operand, contribution * partial))
