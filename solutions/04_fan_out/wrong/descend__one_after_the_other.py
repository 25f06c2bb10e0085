# exercise: descend
# misconception: step-one-after-the-other
# about: moves w, computes a new loss, and then moves b
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        for parameter in (w, b):
            zero_grad([w, b])
            mean_loss(w, b, points).backward()
            parameter.data -= rate * parameter.grad
    return w.data, b.data
