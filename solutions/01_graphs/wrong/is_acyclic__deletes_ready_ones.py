# exercise: is_acyclic
# misconception: graph-changed
# about: takes ready nodes out of the graph itself
def is_acyclic(graph):
    found = True
    while found:
        found = [name for name in graph if not [operand for operand in operands(graph, name) if operand in graph]]
        for name in found:
            del graph[name]
    return not graph
