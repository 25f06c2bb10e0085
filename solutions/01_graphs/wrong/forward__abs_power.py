# exercise: forward
# hidden-only: takes the size of what is raised to a power
# points: 9
# about: takes the size of what is raised to a power
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
            values[name] = OPERATIONS[operation](*[abs(values[o]) if operation == "**" else values[o] for o in rest])
    return values
