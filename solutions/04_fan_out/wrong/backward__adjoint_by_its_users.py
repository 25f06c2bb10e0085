# exercise: backward
# misconception: sweep-recursion-too-deep
# points: 14
# about: asks for each node the adjoints of its users, which is kept
from functools import lru_cache


def backward(root):
    users, found = {root: []}, [root]
    for node in found:
        for operand, partial in zip(node.operands, node.partials):
            if operand not in users:
                users[operand] = []
                found.append(operand)
            users[operand].append((node, partial))

    @lru_cache(maxsize=None)
    def adjoint(node):
        return float(node is root) + sum(adjoint(user) * partial for user, partial in users[node])

    for node in reversed(found):
        node.grad += adjoint(node)
