# exercise: forward
# misconception: graph-operands-swapped
# about: hands the operands over from the last to the first
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
            values[name] = OPERATIONS[operation](*[values[operand] for operand in reversed(rest)])
    return values
