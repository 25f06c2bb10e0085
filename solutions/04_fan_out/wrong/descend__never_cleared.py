# exercise: descend
# misconception: zero-grad-forgotten
# about: zero_grad is written and never called
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
