# exercise: backward
# misconception: adjoints-not-written
# about: returns a table of adjoints, by id
def backward(root):
    adjoint = {id(root): 1.0}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                adjoint[id(operand)] = adjoint[id(node)] * partial
                waiting.append(operand)
    return adjoint
