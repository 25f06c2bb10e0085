# exercise: formula_graphs
# misconception: graph-brackets-lost
# about: squares b − 10 and adds it to the product
def graph_of_f():
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}


def graph_of_loss():
    return {
        "x": ("input",), "w": ("input",), "b": ("input",), "k": ("const", 10.0),
        "product": ("*", "x", "w"), "rest": ("-", "b", "k"), "squared": ("*", "rest", "rest"), "out": ("+", "product", "squared"),
    }
