# exercise: topological_order
# about: a queue, and the missing operands as sets
from collections import defaultdict, deque


def topological_order(graph):
    waiting = {name: set(operands(graph, name)) for name in graph}
    users = defaultdict(set)
    for name, below in waiting.items():
        for operand in below:
            users[operand].add(name)
    queue = deque(name for name, below in waiting.items() if not below)
    order = []
    while queue:
        order.append(queue.popleft())
        for user in users[order[-1]]:
            waiting[user].discard(order[-1])
            if not waiting[user]:
                queue.append(user)
    if any(waiting.values()):
        raise ValueError("cycle")
    return order
