# exercise: backward
# hidden-only: only nine uses show it
# points: 10
# about: counts up to eight uses
def backward(root):
    uses = {root: 0}
    found = [root]
    while found:
        node = found.pop()
        for operand in node.operands:
            if operand not in uses:
                uses[operand] = 0
                found.append(operand)
            uses[operand] = min(uses[operand] + 1, 8)
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
