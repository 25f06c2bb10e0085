# exercise: backward
# about: an order from a generator that keeps its own stack, and asserts
def users_first(root):
    done, stack = set(), [(root, 0)]
    while stack:
        node, place = stack.pop()
        if place < len(node.operands):
            stack.append((node, place + 1))
            below = node.operands[place]
            if below not in done:
                done.add(below)
                stack.append((below, 0))
        else:
            yield node


def backward(root):
    order = [*users_first(root)][::-1]
    assert order[0] is root
    root.grad += 1
    for node in order:
        assert len(node.operands) == len(node.partials)
        for i in range(len(node.operands)):
            node.operands[i].grad = node.operands[i].grad + node.grad * node.partials[i]
