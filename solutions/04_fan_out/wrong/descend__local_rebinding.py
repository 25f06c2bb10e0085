# exercise: descend
# misconception: parameter-replaced
# about: makes numbers of the parameters
def zero_grad(parameters):
    for p in parameters:
        p.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w = w.data - rate * w.grad
        b = b.data - rate * b.grad
    return w.data, b.data
