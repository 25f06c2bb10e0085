# exercise: backward
# points: 3
# unnamed: three operands are not two
# about: Handles at most three operands.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands[:3], node.partials[:3]):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
