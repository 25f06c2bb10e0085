# exercise: blind-spots
# unnamed: another form than is asked for
# about: leaves b out of the points
def blind_spots():
    return {
        "A": (2.0, 3.0, 6.0),
        "B": (3.0, 3.0, 1.0, 7.0),
        "C": (2.0, 3.0, 1.0, 6.5),
        "D": (2.0, 3.0, 1.0, 5.0),
        "good": (2.0, 3.0, 1.0, 10.0),
    }
