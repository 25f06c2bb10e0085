# exercise: formula_graphs
# misconception: graph-edges-reversed
# about: lists the users of a node instead of its operands
def graph_of_f():
    return {"x": ("input", "a"), "y": ("input", "a", "f"), "a": ("+", "f"), "f": ("*",)}


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
