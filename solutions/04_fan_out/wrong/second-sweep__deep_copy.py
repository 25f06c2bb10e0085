# exercise: second-sweep
# unnamed: nothing arrives, as where nothing is done
# about: sweeps over copies of the nodes
import copy


def mended_sweep(nodes):
    nodes = copy.deepcopy(nodes)
    for node in nodes:
        if node.operands:
            node.grad = 0.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
