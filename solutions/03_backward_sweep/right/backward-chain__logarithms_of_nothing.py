# exercise: backward-chain
# about: a class with an iterator
class Down:
    def __init__(self, node):
        self.node = node
    def __iter__(self):
        return self
    def __next__(self):
        if self.node is None:
            raise StopIteration
        node = self.node
        self.node = node.operands[0] if len(node.operands) else None
        return node
def backward_chain(root: Node, seed: float = 1) -> None:
    above = None
    for node in Down(root):
        node.grad = seed if above is None else above.grad * above.partials[0]
        above = node
