# exercise: descend
# misconception: one-point-for-all
# about: the loss of the first point only
def zero_grad(parameters):
    for p in parameters:
        p.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        squared_error(w, b, points[0]).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
