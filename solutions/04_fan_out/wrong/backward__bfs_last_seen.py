# exercise: backward
# misconception: sweep-searches-a-list
# points: 14
# about: moves a node to the end of a list at each meeting
def backward(root):
    order = [root]
    level = [root]
    while level:
        level = list(dict.fromkeys(o for n in level for o in n.operands))
        for o in level:
            if o in order:
                order.remove(o)
            order.append(o)
    root.grad = 1.0
    for n in order:
        for o, p in zip(n.operands, n.partials):
            o.grad += n.grad * p
