# exercise: formula_graphs
# misconception: graph-formula-in-a-node
# about: adds three values in one node
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "minus": ("const", -10.0),
        "p": ("*", "x", "w"), "d": ("+", "p", "b", "minus"), "loss": ("*", "d", "d"),
    }
