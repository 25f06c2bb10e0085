# exercise: backward
# misconception: sweep-searches-a-list
# points: 14
# about: looks for a node without open uses among all that are left
def backward(root):
    waits, found = {root: 0}, [root]
    for node in found:
        for operand in node.operands:
            if operand not in waits:
                waits[operand] = 0
                found.append(operand)
            waits[operand] += 1
    root.grad = 1.0
    while waits:
        node = min(waits, key=lambda node: waits[node])
        del waits[node]
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            waits[operand] -= 1
