# exercise: backward
# about: calls itself for the order, with Python's limit raised for the time of the walk
import sys


def backward(root):
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for operand in node.operands:
                visit(operand)
            order.append(node)

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400_000)
    try:
        visit(root)
    finally:
        sys.setrecursionlimit(before)
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
