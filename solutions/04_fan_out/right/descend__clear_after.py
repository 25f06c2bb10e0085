# exercise: descend
# about: clears after the step
def zero_grad(parameters):
    [setattr(p, "grad", None) for p in parameters]


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
        zero_grad([w, b])
    return w.data, b.data
