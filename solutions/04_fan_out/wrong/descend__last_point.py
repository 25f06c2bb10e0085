# exercise: descend
# misconception: one-point-for-all
# about: a loop over the points in which only the last loss is kept
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        for point in points:
            loss = squared_error(w, b, point)
        loss.backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
