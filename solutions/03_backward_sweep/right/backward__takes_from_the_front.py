# exercise: backward
# about: a list from whose front nodes are taken
def backward(root):
    root.grad, waiting = 1, [root]
    while waiting != []:
        node = waiting[0]
        for k in range(len(node.operands)):
            if node.operands[k].requires_grad is True:
                node.operands[k].grad = node.partials[k] * node.grad
                waiting.append(node.operands[k])
        waiting.pop(0)
