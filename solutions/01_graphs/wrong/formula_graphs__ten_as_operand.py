# exercise: formula_graphs
# misconception: graph-values-for-names
# about: writes the constant 10 into the subtraction
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",),
        "w": ("input",),
        "b": ("input",),
        "p": ("*", "x", "w"),
        "z": ("+", "p", "b"),
        "d": ("-", "z", 10.0),
        "loss": ("*", "d", "d"),
    }
