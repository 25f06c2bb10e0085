# exercise: backward
# misconception: fan-out-stops-at-two
# about: a node is ready after its second report at the latest; what comes third is lost below it
def backward(root):
    uses, found = {root: 0}, [root]
    while found:
        node = found.pop()
        for operand in node.operands:
            if operand not in uses:
                uses[operand] = 0
                found.append(operand)
            uses[operand] = min(uses[operand] + 1, 2)
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
