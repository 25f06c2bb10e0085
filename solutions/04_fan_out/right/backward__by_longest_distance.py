# exercise: backward
# about: sorts the nodes by their height above the leaves, the highest first
def backward(root):
    height, stack = {}, [root]
    while stack:
        node = stack[-1]
        missing = [operand for operand in node.operands if operand not in height]
        if missing:
            stack.extend(missing)
        else:
            height[node] = 1 + max((height[operand] for operand in node.operands), default=0)
            stack.pop()
    root.grad = 1.0
    for node in sorted(height, key=height.get, reverse=True):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
