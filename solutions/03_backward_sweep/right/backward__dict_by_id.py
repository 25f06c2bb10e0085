# exercise: backward
# about: adjoints and nodes in dicts keyed by id
def backward(root):
    adjoint, nodes = {id(root): 1.0}, {id(root): root}
    todo = [id(root)]
    while todo:
        key = todo.pop(0)
        node = nodes[key]
        for operand, partial in zip(node.operands, node.partials):
            if not operand.requires_grad:
                continue
            nodes[id(operand)] = operand
            adjoint[id(operand)] = adjoint.get(id(operand), 0) + adjoint[key] * partial
            todo.append(id(operand))
    for key, node in nodes.items():
        node.grad = adjoint[key]
