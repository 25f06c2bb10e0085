# exercise: backward
# misconception: sweep-once-per-path
# points: 14
# about: lists all paths, then adds their products
def paths(node):
    yield node, 1.0
    for operand, partial in zip(node.operands, node.partials):
        for end, product in paths(operand):
            yield end, partial * product


def backward(root):
    for end, product in paths(root):
        end.grad += product
