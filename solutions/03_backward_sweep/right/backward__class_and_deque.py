# exercise: backward
# about: a class with a queue
from collections import deque


class Sweeper:
    def __init__(self, root):
        self.queue = deque()
        self.visit(root, 1.0)

    def visit(self, node, adjoint):
        if node.requires_grad:
            node.grad = adjoint
            self.queue.append(node)

    def run(self):
        while self.queue:
            node = self.queue.popleft()
            for operand, partial in zip(node.operands, node.partials):
                self.visit(operand, node.grad * partial)


def backward(root):
    Sweeper(root).run()
