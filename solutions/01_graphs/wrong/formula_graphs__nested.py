# exercise: formula_graphs
# misconception: graph-formula-in-a-node
# about: puts one entry inside another
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "f": ("*", ("+", "x", "y"), "y")}


def graph_of_loss():
    return {
        "x": ("input",),
        "w": ("input",),
        "b": ("input",),
        "ten": ("const", 10.0),
        "p": ("*", "x", "w"),
        "z": ("+", "p", "b"),
        "d": ("-", "z", "ten"),
        "loss": ("*", "d", "d"),
    }
