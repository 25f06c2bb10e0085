# exercise: formula_graphs
# unnamed: yes
# about: inputs are right, operations list who uses them
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "f"), "f": ("*",)}


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
