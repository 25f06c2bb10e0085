# exercise: formula_graphs
# misconception: graph-shared-node-copied
# about: computes the difference once for each factor
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",),
        "w": ("input",),
        "b": ("input",),
        "ten": ("const", 10.0),
        "p": ("*", "x", "w"),
        "z": ("+", "p", "b"),
        "d1": ("-", "z", "ten"),
        "d2": ("-", "z", "ten"),
        "loss": ("*", "d1", "d2"),
    }
