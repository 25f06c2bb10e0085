# exercise: formula_graphs
# misconception: graph-values-for-names
# about: puts numbers where the names belong
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", 2.0, 3.0), "f": ("*", 5.0, 3.0)}


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
