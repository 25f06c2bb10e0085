# exercise: descend
# misconception: zero-grad-before-the-step
# about: no sweep between loss and step
def zero_grad(parameters):
    for p in parameters:
        p.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        loss = mean_loss(w, b, points)
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
