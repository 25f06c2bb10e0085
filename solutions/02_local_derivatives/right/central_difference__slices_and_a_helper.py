# exercise: central_difference
# about: an inner function and slices
def central_difference(f, inputs, index, h):
    def at(step):
        return f(*inputs[:index], inputs[index] + step, *inputs[index + 1 :])

    return 0.5 * (at(h) / h - at(-h) / h)
