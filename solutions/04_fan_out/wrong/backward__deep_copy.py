# exercise: backward
# unnamed: nothing arrives, and that has many causes
# about: sweeps over a copy of the graph
import copy


def backward(root):
    twin = copy.deepcopy(root)
    order, seen = [], set()

    def build(node):
        if node not in seen:
            seen.add(node)
            for operand in node.operands:
                build(operand)
            order.append(node)

    build(twin)
    twin.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
