# exercise: blind-spots
# unnamed: a trick, not an idea
# about: A point that is not a number.
def blind_spots():
    return {
        "A": (2.0, 3.0, 1.0, 6.0),
        "B": (3.0, 3.0, 1.0, 7.0),
        "C": (2.0, 3.0, 1.0, 6.5),
        "D": (2.0, 3.0, 1.0, 5.0),
        "good": (float("nan"), 1.0, 1.0, 1.0),
    }
