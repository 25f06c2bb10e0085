# exercise: topological_order
# misconception: order-by-shortest-distance
# about: sorts by the way to the nearest leaf
def topological_order(graph):
    def level(name, steps=0):
        below = operands(graph, name)
        if steps > len(graph):
            raise ValueError("cycle")
        return 1 + min(level(operand, steps + 1) for operand in below) if below else 0

    return sorted(graph, key=level)
