# exercise: central_difference
# misconception: difference-moves-all
# about: nudges every input
def central_difference(f, inputs, index, h):
    up = [value + h for value in inputs]
    down = [value - h for value in inputs]
    return (f(*up) - f(*down)) / (2 * h)
