# exercise: formula_graphs
# misconception: graph-brackets-lost
# about: adds b to w before it multiplies
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    inputs = {name: ("input",) for name in ("x", "w", "b")}
    return {**inputs, "s": ("+", "w", "b"), "m": ("*", "x", "s"), "t": ("const", 10), "e": ("-", "m", "t"), "l": ("*", "e", "e")}
