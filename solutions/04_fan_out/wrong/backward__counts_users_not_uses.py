# exercise: backward
# misconception: sweep-passes-on-too-early
# points: 6
# about: counts the users of a node, and lets an operation that uses it twice report twice
def backward(root):
    users, found = {root: 0}, [root]
    while found:
        node = found.pop()
        for operand in set(node.operands):
            if operand not in users:
                users[operand] = 0
                found.append(operand)
            users[operand] += 1
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            users[operand] -= 1
            if users[operand] == 0:
                ready.append(operand)
