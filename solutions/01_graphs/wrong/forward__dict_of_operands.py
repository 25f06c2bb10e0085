# exercise: forward
# misconception: same-operand-counted-once
# points: 4
# about: removes double operands before it looks them up
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
            values[name] = OPERATIONS[operation](*[values[operand] for operand in dict.fromkeys(rest)])
    return values
