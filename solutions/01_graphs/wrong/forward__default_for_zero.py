# exercise: forward
# misconception: zero-taken-for-missing
# points: 4
# about: puts 1 where an input is false
from graphlib import TopologicalSorter


def forward(graph, inputs):
    values = {}
    for name in TopologicalSorter({name: operands(graph, name) for name in graph}).static_order():
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs.get(name) or 1.0
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
