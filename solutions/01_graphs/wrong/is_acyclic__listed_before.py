# exercise: is_acyclic
# misconception: dict-order-assumed
# about: wants every operand to be listed before its user
def is_acyclic(graph):
    seen = set()
    for name in graph:
        if any(operand not in seen for operand in operands(graph, name)):
            return False
        seen.add(name)
    return True
