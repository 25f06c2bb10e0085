# exercise: descend
# misconception: loss-graph-built-once
# about: the same, with the error silenced by retain_graph=True
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    loss = mean_loss(w, b, points)
    for _ in range(steps):
        zero_grad([w, b])
        loss.backward(retain_graph=True)
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
