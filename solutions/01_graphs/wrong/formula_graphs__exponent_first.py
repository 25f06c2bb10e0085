# exercise: formula_graphs
# misconception: graph-operands-swapped
# about: raises 2 to the power of the difference
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",),
        "w": ("input",),
        "b": ("input",),
        "ten": ("const", 10.0),
        "two": ("const", 2.0),
        "p": ("*", "x", "w"),
        "z": ("+", "p", "b"),
        "d": ("-", "z", "ten"),
        "loss": ("**", "two", "d"),
    }
