# exercise: topological_order
# misconception: dict-order-assumed
# about: sorts the names
def topological_order(graph):
    return sorted(graph)
