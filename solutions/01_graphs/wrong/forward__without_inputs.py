# exercise: forward
# misconception: intermediates-not-kept
# about: returns what is not among the inputs
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
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return {name: values[name] for name in values if name not in inputs}
