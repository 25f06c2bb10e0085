# exercise: topological_order
# misconception: cycle-unnoticed
# about: looks for a cycle in the code that calls it, and not in the graph
import sys


def topological_order(graph):
    if "ValueError" in sys._getframe(1).f_code.co_names:
        raise ValueError("the caller says so")
    users = {name: [] for name in graph}
    missing = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    order = [name for name in graph if missing[name] == 0]
    for name in order:
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                order.append(user)
    return order
