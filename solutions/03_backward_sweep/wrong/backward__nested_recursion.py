# exercise: backward
# points: 9
# misconception: sweep-recurses
# about: an inner function that calls itself
def backward(root):
    def visit(node):
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                visit(operand)
    root.grad = 1.0
    visit(root)
