# exercise: formula_graphs
# about: lists the root first, with names that look like formulas and signs
def graph_of_f():
    graph = {}
    graph["(x + y) * y"] = ("*", "+", "y")
    graph["+"] = ("+", "x", "y")
    graph["y"] = ("input",)
    graph["x"] = ("input",)
    return graph


def graph_of_loss():
    graph = {}
    graph["input"] = ("*", "x*w + b - 10", "x*w + b - 10")
    graph["x*w + b - 10"] = ("-", "x*w + b", "10")
    graph["10"] = ("const", 10)
    graph["x*w + b"] = ("+", "x*w", "b")
    graph["x*w"] = ("*", "x", "w")
    for letter in "bwx":
        graph[letter] = ("input",)
    return graph
