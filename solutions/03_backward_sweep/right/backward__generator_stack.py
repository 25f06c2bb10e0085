# exercise: backward
# about: a stack of iterators, one per level
def backward(root):
    root.grad = 1.0
    stack = [zip(root.operands, root.partials, [root] * len(root.operands))]
    while stack:
        for operand, partial, node in stack[-1]:
            if operand.requires_grad is False:
                continue
            operand.grad = partial * node.grad
            stack.append(zip(operand.operands, operand.partials, [operand] * len(operand.operands)))
            break
        else:
            stack.pop()
