# exercise: blind-spots
# about: lists, whole numbers, and a point that rounding makes not quite exact
import itertools


def blind_spots():
    def tab(x, w, b, t):
        e = x * w + b - t
        return e

    out = {}
    out["A"] = [1, 2, 3, 4 + 2]
    out["A"][3] = 1 * 2 + 3 + 1
    out["B"] = [-2, -2, 0, 3]
    out["C"] = [0.1, 0.2, 0.3, 0.1 * 0.2 + 0.3 - 0.5]
    out["D"] = [7, 11, 13, 7 * 11 + 13 - 2]
    out["good"] = [5, 7, 11, 13]
    return out
