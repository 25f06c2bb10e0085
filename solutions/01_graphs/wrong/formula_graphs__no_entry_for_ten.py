# exercise: formula_graphs
# misconception: graph-leaf-missing
# about: uses a constant that has no entry
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",),
        "w": ("input",),
        "b": ("input",),
        "p": ("*", "x", "w"),
        "z": ("+", "p", "b"),
        "d": ("-", "z", "10"),
        "loss": ("*", "d", "d"),
    }
