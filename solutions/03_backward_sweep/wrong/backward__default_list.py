# exercise: backward
# points: 7
# misconception: cache-outlives-the-call
# about: the visited nodes are a default argument
def backward(root, visited=[]):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node in visited:
            continue
        visited.append(node)
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
