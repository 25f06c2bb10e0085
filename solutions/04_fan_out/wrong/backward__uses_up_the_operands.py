# exercise: backward
# misconception: sweep-works-once
# points: 16
# about: takes the operands off their nodes
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
        node.operands = ()
