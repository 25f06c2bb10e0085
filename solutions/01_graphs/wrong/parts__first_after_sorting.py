# exercise: parts
# unnamed: yes
# about: sorts the names and takes the first one for the root
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    return sorted(graph)[0]
