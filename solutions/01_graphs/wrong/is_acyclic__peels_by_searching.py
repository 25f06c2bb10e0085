# exercise: is_acyclic
# misconception: order-searched-again-and-again
# about: goes through all nodes again for every layer
def is_acyclic(graph):
    crossed_out = set()
    while len(crossed_out) < len(graph):
        layer = {name for name in graph if name not in crossed_out and set(operands(graph, name)) <= crossed_out}
        if not layer:
            return False
        crossed_out |= layer
    return True
