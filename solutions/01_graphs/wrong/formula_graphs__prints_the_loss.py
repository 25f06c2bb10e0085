# exercise: formula_graphs
# misconception: nothing-returned
# about: prints the second graph
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    graph = {
        "x": ("input",), "w": ("input",), "b": ("input",), "ten": ("const", 10.0),
        "p": ("*", "x", "w"), "z": ("+", "p", "b"), "d": ("-", "z", "ten"), "loss": ("*", "d", "d"),
    }
    print(graph)
