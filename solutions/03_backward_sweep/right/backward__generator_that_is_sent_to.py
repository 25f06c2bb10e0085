# exercise: backward
# about: a generator keeps what waits
def backward(root):
    def walk():
        waiting = [root]
        while waiting:
            node = waiting.pop()
            waiting.extend((yield node) or ())
    root.grad = 1.0
    walker = walk()
    node = next(walker)
    try:
        while True:
            below = [(o, p) for o, p in zip(node.operands, node.partials) if o.requires_grad]
            for operand, partial in below:
                operand.grad = node.grad * partial
            node = walker.send([operand for operand, _ in below])
    except StopIteration:
        pass
