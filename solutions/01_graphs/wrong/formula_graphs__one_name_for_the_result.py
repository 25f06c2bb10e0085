# exercise: formula_graphs
# misconception: graph-name-reused
# about: adds y to the sum and keeps the name
def graph_of_f():
    graph = {"x": ("input",), "y": ("input",)}
    graph["result"] = ("+", "x", "y")
    graph["result"] = ("*", "result", "y")
    return graph


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "ten": ("const", 10.0),
        "p": ("*", "x", "w"), "z": ("+", "p", "b"), "d": ("-", "z", "ten"), "loss": ("*", "d", "d"),
    }
