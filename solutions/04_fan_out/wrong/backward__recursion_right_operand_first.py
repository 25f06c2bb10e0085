# exercise: backward
# misconception: sweep-passes-on-too-early
# about: the same, from the last operand to the first
def backward(root):
    visited = []

    def visit(node):
        visited.append(node)
        for place in reversed(range(len(node.operands))):
            operand = node.operands[place]
            operand.grad += node.grad * node.partials[place]
            if not any(operand is other for other in visited):
                visit(operand)

    root.grad = 1.0
    visit(root)
