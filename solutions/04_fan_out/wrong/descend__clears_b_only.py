# exercise: descend
# misconception: zero-grad-first-only
# about: zero_grad begins at the second parameter
def zero_grad(parameters):
    for parameter in parameters[1:]:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
