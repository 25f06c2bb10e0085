# exercise: backward
# misconception: sweep-passes-on-too-early
# about: cuts a node's links as soon as it has passed something on, so that the second branch is lost below it
def backward(root):
    stack = [(root, 1.0)]
    while stack:
        node, contribution = stack.pop()
        node.grad += contribution
        uses = list(zip(node.operands, node.partials))
        node.operands, node.partials = (), ()
        for operand, partial in uses:
            stack.append((operand, contribution * partial))
