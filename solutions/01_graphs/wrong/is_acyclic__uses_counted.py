# exercise: is_acyclic
# misconception: shared-taken-for-cycle
# about: wants every node to be used once at most
from collections import Counter


def is_acyclic(graph):
    uses = Counter()
    for name in graph:
        uses.update(operands(graph, name))
    return all(count <= 1 for count in uses.values())
