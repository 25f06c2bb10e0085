# exercise: blind-spots
# about: Computes t from the error that is wanted.
def blind_spots():
    def with_error(e, x=4.0, w=2.0, b=3.0):
        return (x, w, b, x * w + b - e)

    return {
        "A": with_error(-1.0),
        "B": with_error(3.0, x=2.0),
        "C": with_error(0.5),
        "D": with_error(2.0),
        "good": with_error(-7.0),
    }
