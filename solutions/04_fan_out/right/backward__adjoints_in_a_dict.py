# exercise: backward
# about: a class with a queue and a dict of adjoints, added to `.grad` when a node is complete
from collections import Counter, deque


class Sweep:
    def __init__(self, root):
        self.root = root
        self.waiting = Counter()
        seen, queue = {root}, deque([root])
        while queue:
            for operand in queue.popleft().operands:
                self.waiting[operand] += 1
                if operand not in seen:
                    seen.add(operand)
                    queue.append(operand)

    def run(self):
        adjoint = {self.root: 1.0}
        ready = deque([self.root])
        while ready:
            node = ready.popleft()
            node.grad += adjoint[node]
            for operand, partial in zip(node.operands, node.partials):
                adjoint[operand] = adjoint.get(operand, 0.0) + adjoint[node] * partial
                self.waiting[operand] -= 1
                if not self.waiting[operand]:
                    ready.append(operand)


def backward(root):
    Sweep(root).run()
