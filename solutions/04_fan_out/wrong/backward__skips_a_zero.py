# exercise: backward
# misconception: fan-out-zero-taken-for-none
# points: 10
# about: a node whose adjoint is 0 has nothing to pass on, and so it does not report either
def backward(root):
    uses, found = {root: 0}, [root]
    while found:
        node = found.pop()
        for operand in node.operands:
            if operand not in uses:
                uses[operand] = 0
                found.append(operand)
            uses[operand] += 1
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        if not node.grad:
            continue
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
