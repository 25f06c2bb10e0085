# exercise: blind-spots
# misconception: point-ruled-out
# about: A loss of 0 everywhere.
def blind_spots():
    return {
        "A": (2.0, 3.0, 1.0, 7.0),
        "B": (2.0, 3.0, 1.0, 7.0),
        "C": (2.0, 3.0, 1.0, 7.0),
        "D": (2.0, 3.0, 1.0, 7.0),
        "good": (2.0, 3.0, 1.0, 10.0),
    }
