# exercise: central_difference
# about: a generator of both ends, unpacked
def central_difference(f, inputs, index, h):
    def ends():
        for step in (h, -h):
            moved = dict(enumerate(inputs))
            moved[index] += step
            yield f(*moved.values())

    up, down = ends()
    return (up - down) / h / 2
