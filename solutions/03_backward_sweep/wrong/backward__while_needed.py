# exercise: backward
# points: 8
# misconception: constant-stops-sweep
# about: goes over the operands while they need a gradient
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        place = 0
        while place < len(node.operands) and node.operands[place].requires_grad:
            node.operands[place].grad = node.grad * node.partials[place]
            waiting.append(node.operands[place])
            place += 1
