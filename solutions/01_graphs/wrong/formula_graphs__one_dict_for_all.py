# exercise: formula_graphs
# hidden-only: only a caller that changes the answer sees it
# about: hands out the same dict at every call
GRAPH_OF_F = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_f():
    return GRAPH_OF_F


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
