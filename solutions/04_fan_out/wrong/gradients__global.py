# exercise: gradients
# misconception: cache-outlives-the-call
# about: the adjoints stand outside the function
_adj = {"x": 0.0, "y": 0.0}


def gradients(x, y):
    a = x + y
    _adj["y"] += a
    _adj["x"] += y
    _adj["y"] += y
    return _adj["x"], _adj["y"]
