# exercise: descend
# misconception: loss-graph-built-once
# about: computes the loss before the loop and sweeps the same graph again, which stops with an error
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    loss = mean_loss(w, b, points)
    for _ in range(steps):
        zero_grad([w, b])
        loss.backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
