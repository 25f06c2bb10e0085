# exercise: descend
# misconception: zero-grad-before-the-step
# about: sweeps, clears, and then wants to step
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        mean_loss(w, b, points).backward()
        zero_grad([w, b])
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
