# exercise: descend
# misconception: batch-mean-forgotten
# about: a sweep for each point, and no mean
def zero_grad(parameters):
    for p in parameters:
        p.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        for p in points:
            squared_error(w, b, p).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
