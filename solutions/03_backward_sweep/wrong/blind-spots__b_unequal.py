# exercise: blind-spots
# misconception: test-point-hides-nothing
# about: Unequal factors hide nothing.
def blind_spots():
    return {
        "A": (2.0, 3.0, 1.0, 6.0),
        "B": (2.0, 3.0, 1.0, 10.0),
        "C": (2.0, 3.0, 1.0, 6.5),
        "D": (2.0, 3.0, 1.0, 5.0),
        "good": (2.0, 3.0, 1.0, 10.0),
    }
