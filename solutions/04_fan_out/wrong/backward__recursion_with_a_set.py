# exercise: backward
# misconception: sweep-passes-on-too-early
# about: calls itself for each operand that has not been seen
def backward(root, seen=None):
    if seen is None:
        seen = set()
        root.grad = 1.0
    seen.add(root)
    for operand, partial in zip(root.operands, root.partials):
        operand.grad += root.grad * partial
        if operand not in seen:
            backward(operand, seen)
