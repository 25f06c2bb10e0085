# exercise: backward
# misconception: sweep-recursion-too-deep
# points: 14
# about: sorts by the longest distance to a leaf, which a function that calls itself finds
def backward(root):
    height = {}

    def measure(node):
        if node not in height:
            height[node] = 1 + max((measure(operand) for operand in node.operands), default=0)
        return height[node]

    measure(root)
    root.grad = 1.0
    for node in sorted(height, key=height.get, reverse=True):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
