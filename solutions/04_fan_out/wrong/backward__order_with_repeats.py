# exercise: backward
# misconception: sweep-passes-sum-again
# about: an order with operands first, read backwards, in which shared nodes stand several times
def backward(root):
    def order_of(node):
        found = []
        for operand in node.operands:
            found += order_of(operand)
        return found + [node]

    root.grad = 1.0
    for node in reversed(order_of(root)):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
