# exercise: topological_order
# misconception: order-after-one-operand
# about: sorts by the level of the first operand
def topological_order(graph):
    def level(name, steps=0):
        below = operands(graph, name)
        if steps > len(graph):
            raise ValueError("cycle")
        return 1 + level(below[0], steps + 1) if below else 0

    return sorted(graph, key=level)
