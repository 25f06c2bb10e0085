# exercise: formula_graphs
# misconception: graph-brackets-lost
# about: multiplies first, as if there were no brackets
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("*", "y", "y"), "f": ("+", "x", "a")}


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
