# exercise: descend
# misconception: zero-grad-rebinds-a-name
# about: zero_grad takes a number out of each parameter and clears that
def zero_grad(parameters):
    for parameter in parameters:
        gradient = parameter.grad
        gradient = 0.0


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
