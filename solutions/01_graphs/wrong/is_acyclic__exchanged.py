# exercise: is_acyclic
# misconception: true-and-false-exchanged
# about: answers whether there is a cycle
import graphlib


def is_acyclic(graph):
    try:
        graphlib.TopologicalSorter({name: operands(graph, name) for name in graph}).prepare()
    except graphlib.CycleError:
        return True
    return False
