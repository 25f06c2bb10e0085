# exercise: is_acyclic
# misconception: return-inside-the-loop
# about: answers after looking at the first node
def is_acyclic(graph):
    for name in graph:
        if name in operands(graph, name):
            return False
        else:
            return True
    return True
