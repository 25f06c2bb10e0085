# exercise: parts
# misconception: root-is-the-last-entry
# about: remembers the last operation it comes across
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    found = None
    for name in graph:
        if operands(graph, name):
            found = name
    return found or list(graph)[0]
