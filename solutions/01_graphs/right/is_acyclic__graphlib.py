# exercise: is_acyclic
# about: asks Python's own library
import graphlib


def is_acyclic(graph):
    try:
        graphlib.TopologicalSorter({name: operands(graph, name) for name in graph}).prepare()
    except graphlib.CycleError:
        return False
    return True
