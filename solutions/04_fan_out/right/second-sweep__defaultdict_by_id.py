# exercise: second-sweep
# about: adjoints by id for one call, leaves at the end
from collections import defaultdict


def mended_sweep(nodes):
    adjoint = defaultdict(float, {id(nodes[-1]): 1.0})
    for node in nodes[::-1]:
        for operand, partial in zip(node.operands, node.partials):
            adjoint[id(operand)] += adjoint[id(node)] * partial
    for node in nodes:
        if len(node.operands) == 0:
            node.grad += adjoint[id(node)]
