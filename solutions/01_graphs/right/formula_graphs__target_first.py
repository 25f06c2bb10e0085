# exercise: formula_graphs
# about: subtracts from the target, and adds a negative constant
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return dict(
        x=("input",),
        w=("input",),
        b=("input",),
        minus_ten=("const", -10.0),
        p=("*", "x", "w"),
        shifted=("+", "b", "minus_ten"),
        d=("+", "p", "shifted"),
        loss=("*", "d", "d"),
    )
