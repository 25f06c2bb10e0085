# exercise: backward
# about: an object with a method for each part, and adjoints by id
class Sweep:
    def __init__(self, root):
        self.root, self.nodes, self.waits = root, {}, {}

    def count(self):
        stack = [self.root]
        self.nodes[id(self.root)] = self.root
        while stack:
            node = stack.pop()
            for operand in node.operands:
                key = id(operand)
                self.waits[key] = self.waits.get(key, 0) + 1
                if key not in self.nodes:
                    self.nodes[key] = operand
                    stack.append(operand)

    def run(self):
        self.root.grad += 1.0
        ready = [self.root]
        while ready:
            node = ready.pop(0)
            for operand, partial in zip(node.operands, node.partials):
                operand.grad += partial * node.grad
                self.waits[id(operand)] -= 1
                if not self.waits[id(operand)]:
                    ready.append(operand)


def backward(root):
    sweep = Sweep(root)
    sweep.count()
    sweep.run()
