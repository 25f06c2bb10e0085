# exercise: topological_order
# about: Python's own library; its CycleError is a ValueError
from graphlib import TopologicalSorter


def topological_order(graph):
    return tuple(TopologicalSorter({name: set(operands(graph, name)) for name in graph}).static_order())
