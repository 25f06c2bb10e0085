# exercise: backward
# misconception: sweep-passes-on-too-early
# about: sorts nodes by the distance at which they were first met
def backward(root):
    distance = {root: 0}
    frontier = [root]
    while frontier:
        node = frontier.pop(0)
        for operand in node.operands:
            if operand not in distance:
                distance[operand] = distance[node] + 1
                frontier.append(operand)
    root.grad = 1.0
    for node in sorted(distance, key=lambda node: distance[node]):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
