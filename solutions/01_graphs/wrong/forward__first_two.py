# exercise: forward
# misconception: operation-takes-two
# about: takes the second and third part of every entry
from graphlib import TopologicalSorter


def forward(graph, inputs):
    values = {}
    for name in TopologicalSorter({name: operands(graph, name) for name in graph}).static_order():
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](values[graph[name][1]], values[graph[name][2]])
    return values
