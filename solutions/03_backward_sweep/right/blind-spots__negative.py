# exercise: blind-spots
# about: Other points, one with a negative error.
def blind_spots():
    return {
        "A": (1.5, 2.0, 0.0, 4.0),
        "B": [-4, -4, 2, 1],
        "C": (4.0, 0.5, 0.0, 1.5),
        "D": (10.0, 0.1, 3.0, 2.0),
        "good": (1.7, -2.3, 0.4, 5.9),
    }
