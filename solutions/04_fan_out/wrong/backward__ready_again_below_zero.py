# exercise: backward
# misconception: sweep-passes-on-too-early
# points: 6
# about: counts users once each, and a report too many counts, too
def backward(root):
    uses, found = {root: 0}, [root]
    while found:
        for operand in set(found.pop().operands):
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
