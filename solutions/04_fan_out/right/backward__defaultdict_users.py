# exercise: backward
# about: a class that knows the users of each node and pulls from them
from collections import defaultdict, deque


class Graph:
    __slots__ = ("users", "nodes")

    def __init__(self, root):
        self.users = defaultdict(list)
        self.nodes = {}
        queue = deque([root])
        while queue:
            node = queue.popleft()
            if id(node) in self.nodes:
                continue
            self.nodes[id(node)] = node
            for place, operand in enumerate(node.operands):
                self.users[id(operand)].append((node, place))
                queue.append(operand)

    def order(self, root):
        left = {k: len(self.users[k]) for k in self.nodes}
        ready = deque([root])
        while ready:
            node = ready.popleft()
            yield node
            for operand in node.operands:
                left[id(operand)] -= 1
                if not left[id(operand)]:
                    ready.append(operand)


def backward(root):
    g = Graph(root)
    for node in g.order(root):
        if node is root:
            node.grad = 1.0
        else:
            node.grad += sum(u.grad * u.partials[i] for u, i in g.users[id(node)])
