# exercise: is_acyclic
# unnamed: yes
# about: asks Python whether a walk ends, and takes a deep graph for a cycle
import sys


def is_acyclic(graph):
    def walk(name, seen):
        if name not in seen:
            for operand in operands(graph, name):
                walk(operand, seen)
            seen.add(name)

    seen = set()
    try:
        for name in graph:
            walk(name, seen)
    except RecursionError:
        return False
    return True
