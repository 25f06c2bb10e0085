# exercise: backward
# about: depth first with an explicit stack of iterators, in a helper function
def operands_first(root):
    order = []
    seen = {root}
    path = [(root, iter(root.operands))]
    while path:
        node, rest = path[-1]
        for operand in rest:
            if operand not in seen:
                seen.add(operand)
                path.append((operand, iter(operand.operands)))
                break
        else:
            order.append(node)
            path.pop()
    return order


def backward(root):
    root.grad = root.grad + 1.0
    for node in operands_first(root)[::-1]:
        for k in range(len(node.operands)):
            node.operands[k].grad = node.operands[k].grad + node.partials[k] * node.grad
