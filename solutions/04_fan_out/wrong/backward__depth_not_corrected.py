# exercise: backward
# misconception: sweep-passes-on-too-early
# about: sorts by distance from the root, and a distance that grows later is not handed on to the nodes below
def backward(root):
    depth, found = {root: 0}, [root]
    for node in found:
        for operand in node.operands:
            if operand not in depth:
                found.append(operand)
            depth[operand] = max(depth.get(operand, 0), depth[node] + 1)
    root.grad = 1.0
    for node in sorted(found, key=lambda node: depth[node]):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
