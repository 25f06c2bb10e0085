# exercise: backward
# misconception: adjoints-in-between-missing
# points: 16
# about: clears the operations when all is done
def backward(root):
    uses, found = {root: 0}, [root]
    while found:
        for operand in found.pop().operands:
            if operand not in uses:
                uses[operand] = 0
                found.append(operand)
            uses[operand] += 1
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
    for node in uses:
        if node.operands:
            node.grad = 0.0
