# exercise: forward
# misconception: dict-order-assumed
# about: goes through the graph from its end
from graphlib import TopologicalSorter


def forward(graph, inputs):
    values = {}
    for name in reversed(list(graph)):
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
