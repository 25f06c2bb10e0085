# exercise: blind-spots
# misconception: test-point-hides-nothing
# about: e = 1, where 2·e is 2.
def blind_spots():
    return {
        "A": (2.0, 3.0, 1.0, 6.0),
        "B": (3.0, 3.0, 1.0, 7.0),
        "C": (2.0, 3.0, 1.0, 6.0),
        "D": (2.0, 3.0, 1.0, 5.0),
        "good": (2.0, 3.0, 1.0, 10.0),
    }
