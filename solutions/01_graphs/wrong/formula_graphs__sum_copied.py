# exercise: formula_graphs
# misconception: graph-shared-node-copied
# about: adds twice and multiplies half of it away
def graph_of_f():
    return {
        "y": ("input",), "x": ("input",), "a": ("+", "x", "y"), "a2": ("+", "x", "y"), "zero": ("-", "a", "a2"),
        "f0": ("*", "a", "y"), "f": ("+", "f0", "zero"),
    }


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "ten": ("const", 10.0),
        "p": ("*", "x", "w"), "z": ("+", "p", "b"), "d": ("-", "z", "ten"), "loss": ("*", "d", "d"),
    }
