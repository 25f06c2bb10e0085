# exercise: value_of
# about: keeps the values of one call over those that are given
from collections import ChainMap


def value_of(graph, inputs, name):
    known = ChainMap({}, inputs)

    def value(node):
        if node not in known:
            sign, *rest = graph[node]
            known[node] = rest[0] if sign == "const" else OPERATIONS[sign](*map(value, rest))
        return known[node]

    return value(name)
