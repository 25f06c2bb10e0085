# exercise: formula_graphs
# misconception: graph-values-for-names
# about: gives the inputs their numbers of the example
def graph_of_f():
    return {"x": 2.0, "y": 3.0, "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "ten": ("const", 10.0),
        "p": ("*", "x", "w"), "z": ("+", "p", "b"), "d": ("-", "z", "ten"), "loss": ("*", "d", "d"),
    }
