# exercise: central_difference
# misconception: difference-by-value
# about: moves every input that has the chosen value
def central_difference(f, inputs, index, h):
    up = [value + h if value == inputs[index] else value for value in inputs]
    down = [value - h if value == inputs[index] else value for value in inputs]
    return (f(*up) - f(*down)) / (2 * h)
