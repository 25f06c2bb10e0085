# exercise: forward
# about: makes a float of every input, and adds with sum
from graphlib import TopologicalSorter


def forward(graph, inputs):
    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = {}
    for name in order:
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = float(inputs[name])
        elif operation == "const":
            values[name] = rest[0]
        elif operation == "+":
            values[name] = sum([values[operand] for operand in rest])
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
