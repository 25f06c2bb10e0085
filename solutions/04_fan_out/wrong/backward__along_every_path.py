# exercise: backward
# misconception: sweep-once-per-path
# points: 14
# about: the short recursion of the text, which walks every path
def backward(root, contribution=1.0):
    root.grad += contribution
    for operand, partial in zip(root.operands, root.partials):
        backward(operand, contribution * partial)
