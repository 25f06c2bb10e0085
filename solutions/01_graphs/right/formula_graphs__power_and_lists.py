# exercise: formula_graphs
# about: squares with ** and a constant, and writes lists for tuples
def graph_of_f():
    graph = {name: ["input"] for name in ("x", "y")}
    graph["a"] = ["+", "x", "y"]
    graph["f"] = ["*", "a", "y"]
    return graph


def graph_of_loss():
    graph = {name: ["input"] for name in ("x", "w", "b")}
    graph["two"] = ["const", 2]
    graph["ten"] = ["const", 10]
    graph["p"] = ["*", "x", "w"]
    graph["z"] = ["+", "p", "b"]
    graph["d"] = ["-", "z", "ten"]
    graph["loss"] = ["**", "d", "two"]
    return graph
