# exercise: topological_order
# misconception: names-built-in
# about: the order of the example
def topological_order(graph):
    return ["x", "y", "a", "f"]
