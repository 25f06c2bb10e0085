# exercise: backward-chain
# misconception: partial-of-the-wrong-step
# about: loops over the operands, and reads their own partials
def backward_chain(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for below in node.operands:
            below.grad = node.grad * below.partials[0]
            waiting.append(below)
