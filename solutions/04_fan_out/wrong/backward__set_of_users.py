# exercise: backward
# misconception: sweep-passes-on-too-early
# points: 6
# about: keeps for each node the set of its users, and each use reports
def backward(root):
    users, stack = {root: set()}, [root]
    while stack:
        node = stack.pop()
        for operand in node.operands:
            if operand not in users:
                users[operand] = set()
                stack.append(operand)
            users[operand].add(node)
    waits = {node: len(found) for node, found in users.items()}
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            waits[operand] -= 1
            if waits[operand] == 0:
                ready.append(operand)
