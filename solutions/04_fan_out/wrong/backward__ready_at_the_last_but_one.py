# exercise: backward
# unnamed: off by one, as a slip
# about: compares the count with 1
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
            if uses[operand] == 1:
                ready.append(operand)
