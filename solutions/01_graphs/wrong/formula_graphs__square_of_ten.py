# exercise: formula_graphs
# misconception: graph-brackets-lost
# about: squares the constant instead of the bracket
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",),
        "w": ("input",),
        "b": ("input",),
        "ten": ("const", 10.0),
        "p": ("*", "x", "w"),
        "z": ("+", "p", "b"),
        "s": ("*", "ten", "ten"),
        "loss": ("-", "z", "s"),
    }
