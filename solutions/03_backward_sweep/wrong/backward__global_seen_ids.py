# exercise: backward
# misconception: cache-outlives-the-call
# about: remembers visited nodes by id, outside the function
_seen = set()


def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in _seen:
            continue
        _seen.add(id(node))
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
