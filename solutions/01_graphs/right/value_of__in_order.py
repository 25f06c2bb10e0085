# exercise: value_of
# about: no recursion: everything in order, then one look-up
from graphlib import TopologicalSorter


def value_of(graph, inputs, name):
    cache = {}
    for node in TopologicalSorter({node: operands(graph, node) for node in graph}).static_order():
        operation, *rest = graph[node]
        if operation == "input":
            cache[node] = inputs[node]
        elif operation == "const":
            cache[node] = rest[0]
        else:
            cache[node] = OPERATIONS[operation](*[cache[operand] for operand in rest])
    return cache[name]
