# exercise: backward
# misconception: sweep-passes-on-too-early
# about: goes over a list of nodes while it grows
def backward(root):
    root.grad = 1.0
    nodes = [root]
    for node in nodes:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            if operand not in nodes:
                nodes.append(operand)
