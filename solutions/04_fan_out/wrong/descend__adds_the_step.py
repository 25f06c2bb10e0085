# exercise: descend
# misconception: step-goes-uphill
# about: w + rate * gradient, in a loop over parameters
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        for p in (w, b):
            p.data = p.data + rate * p.grad
    return w.data, b.data
