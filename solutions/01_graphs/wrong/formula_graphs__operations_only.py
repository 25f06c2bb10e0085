# exercise: formula_graphs
# misconception: graph-leaf-missing
# about: leaves the inputs out
def graph_of_f():
    return {"a": ("+", "x", "y"), "f": ("*", "a", "y")}


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
