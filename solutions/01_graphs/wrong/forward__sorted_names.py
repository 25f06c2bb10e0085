# exercise: forward
# misconception: dict-order-assumed
# about: goes through the names in alphabetical order
from graphlib import TopologicalSorter


def forward(graph, inputs):
    values = {}
    for name in sorted(graph):
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
