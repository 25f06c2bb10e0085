# exercise: backward
# unnamed: four is nobody's idea
# points: 4
# about: counts the uses in two bits, so that the fifth one counts as the first
def backward(root):
    uses, found = {root: 0}, [root]
    while found:
        node = found.pop()
        for operand in node.operands:
            if operand not in uses:
                uses[operand] = 0
                found.append(operand)
            uses[operand] = uses[operand] % 4 + 1
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
