# exercise: formula_graphs
# misconception: graph-values-for-names
# about: writes the inputs as constants
def graph_of_f():
    return {"x": ("const", 2.0), "y": ("const", 3.0), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "ten": ("const", 10.0),
        "p": ("*", "x", "w"), "z": ("+", "p", "b"), "d": ("-", "z", "ten"), "loss": ("*", "d", "d"),
    }
