# exercise: backward
# misconception: sweep-seen-skips-uses
# about: asks whether the operand was seen before it adds
def backward(root):
    root.grad = 1.0
    seen = set()

    def visit(node):
        for operand, partial in zip(node.operands, node.partials):
            if operand in seen:
                continue
            seen.add(operand)
            operand.grad += node.grad * partial
            visit(operand)

    visit(root)
