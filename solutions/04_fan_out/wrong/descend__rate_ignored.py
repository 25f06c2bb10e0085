# exercise: descend
# misconception: step-without-rate
# about: steps by the whole gradient
def zero_grad(parameters):
    for p in parameters:
        p.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= w.grad
        b.data -= b.grad
    return w.data, b.data
