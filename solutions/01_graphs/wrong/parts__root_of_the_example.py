# exercise: parts
# misconception: names-built-in
# about: looks for f by its name
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    if "f" in graph:
        return "f"
    return "loss"
