# exercise: descend
# about: makes new parameters from numbers at each step, so that nothing is there to be cleared
def zero_grad(parameters):
    for k in range(len(parameters)):
        parameters[k].grad = None


def descend(start, points, rate, steps):
    w, b = start
    for _ in range(steps):
        weight, offset = Scalar(w), Scalar(b)
        mean_loss(weight, offset, points).backward()
        w, b = w - rate * weight.grad, b - rate * offset.grad
    return w, b
