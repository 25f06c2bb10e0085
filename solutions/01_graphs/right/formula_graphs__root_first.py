# exercise: formula_graphs
# about: lists the root first, other names, operands of + and * exchanged
def graph_of_f():
    return {"result": ("*", "y", "total"), "total": ("+", "y", "x"), "y": ("input",), "x": ("input",)}


def graph_of_loss():
    return {
        "square": ("*", "difference", "difference"),
        "difference": ("-", "prediction", "target"),
        "target": ("const", 10),
        "prediction": ("+", "b", "product"),
        "product": ("*", "w", "x"),
        "b": ("input",),
        "w": ("input",),
        "x": ("input",),
    }
