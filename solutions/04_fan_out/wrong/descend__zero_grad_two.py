# exercise: descend
# misconception: zero-grad-first-only
# about: clears the first two parameters
def zero_grad(parameters):
    parameters[0].grad = None
    parameters[1].grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
