# exercise: backward
# misconception: partials-swapped
# about: pairs operands with the partials from the last to the first
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
        for operand, partial in zip(node.operands, reversed(node.partials)):
            operand.grad += node.grad * partial
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
