# exercise: descend
# misconception: step-one-after-the-other
# about: moves b, and computes a new loss for w
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        for p in (b, w):
            zero_grad([w, b])
            mean_loss(w, b, points).backward()
            p.data -= rate * p.grad
    return w.data, b.data
