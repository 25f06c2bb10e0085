# exercise: descend
# about: gradients by the engine, positions in a tuple
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    place = tuple(start)
    for _ in range(steps):
        parameters = [Scalar(number) for number in place]
        zero_grad(parameters)
        mean_loss(*parameters, points).backward()
        place = tuple(p.data - rate * p.grad for p in parameters)
    return place
