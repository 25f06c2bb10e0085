# exercise: descend
# misconception: step-moves-nothing
# about: sets the gradients to 0.0 between sweep and step, so that nothing ever moves
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = 0.0


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        mean_loss(w, b, points).backward()
        zero_grad([w, b])
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
