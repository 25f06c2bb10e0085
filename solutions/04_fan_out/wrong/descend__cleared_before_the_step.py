# exercise: descend
# misconception: step-moves-nothing
# about: clears between the sweep and the step, so there is no gradient left to step with
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = 0.0


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        loss = mean_loss(w, b, points)
        loss.backward()
        zero_grad([w, b])
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
