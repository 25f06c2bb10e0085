# exercise: blind-spots
# misconception: point-ruled-out
# about: an x of 0 for B
def blind_spots():
    return {
        "A": (2.0, 3.0, 1.0, 6.0),
        "B": (0.0, 0.0, 1.0, 3.0),
        "C": (2.0, 3.0, 1.0, 6.5),
        "D": (2.0, 3.0, 1.0, 5.0),
        "good": (2.0, 3.0, 1.0, 10.0),
    }
