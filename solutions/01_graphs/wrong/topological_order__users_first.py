# exercise: topological_order
# misconception: order-users-first
# about: a right walk, turned round once too often
from graphlib import TopologicalSorter


def topological_order(graph):
    order = list(TopologicalSorter({name: operands(graph, name) for name in graph}).static_order())
    order.reverse()
    return order
