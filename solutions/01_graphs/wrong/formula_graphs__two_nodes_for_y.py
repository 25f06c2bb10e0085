# exercise: formula_graphs
# misconception: graph-shared-node-copied
# about: gives y a node for each of its uses
def graph_of_f():
    return {"x": ("input",), "y1": ("input",), "y2": ("input",), "a": ("+", "x", "y1"), "f": ("*", "a", "y2")}


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
