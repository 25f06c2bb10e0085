# exercise: descend
# misconception: zero-grad-rebinds-a-name
# about: makes a list of zeros
def zero_grad(parameters):
    parameters = [0.0 * parameter.data for parameter in parameters]


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
