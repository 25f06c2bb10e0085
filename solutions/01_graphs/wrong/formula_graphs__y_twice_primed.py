# exercise: formula_graphs
# misconception: graph-shared-node-copied
# about: has y and y_2, one for each use
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "y_2": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y_2")}


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "ten": ("const", 10.0),
        "p": ("*", "x", "w"), "z": ("+", "p", "b"), "d": ("-", "z", "ten"), "loss": ("*", "d", "d"),
    }
