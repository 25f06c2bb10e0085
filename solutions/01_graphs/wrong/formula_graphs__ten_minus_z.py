# exercise: formula_graphs
# misconception: graph-operands-swapped
# about: subtracts what it has from 10, which the square hides
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "ten": ("const", 10.0),
        "p": ("*", "x", "w"), "z": ("+", "p", "b"), "d": ("-", "ten", "z"), "loss": ("*", "d", "d"),
    }
