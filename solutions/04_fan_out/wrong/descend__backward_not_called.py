# exercise: descend
# misconception: zero-grad-before-the-step
# about: brackets forgotten after backward
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        loss = mean_loss(w, b, points)
        loss.backward
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
