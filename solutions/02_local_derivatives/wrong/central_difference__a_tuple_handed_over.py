# exercise: central_difference
# misconception: difference-one-list
# about: hands f a tuple
def central_difference(f, inputs, index, h):
    def at(step):
        return f(tuple(x + step * (place == index) for place, x in enumerate(inputs)))

    return (at(h) - at(-h)) / (2 * h)
