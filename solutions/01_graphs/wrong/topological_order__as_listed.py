# exercise: topological_order
# misconception: dict-order-assumed
# about: takes the nodes as they are listed
def topological_order(graph):
    return list(graph)
