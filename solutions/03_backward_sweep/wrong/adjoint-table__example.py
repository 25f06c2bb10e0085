# exercise: adjoint-table
# misconception: example-written-in
# about: The numbers of the example.
def adjoint_table(x, w, b, t):
    return {"loss": 1, "e": -6, "z": -6, "m": -6, "x": -18, "w": -12, "b": -6, "t": 6}
