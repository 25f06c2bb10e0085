# exercise: descend
# misconception: batch-mean-forgotten
# about: adds up the squared errors by itself
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        loss = Scalar(0.0)
        for point in points:
            loss = loss + squared_error(w, b, point)
        loss.backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
