# exercise: descend
# misconception: zero-grad-clears-the-value
# about: zero_grad sets the parameters themselves to zero
def zero_grad(parameters):
    for parameter in parameters:
        parameter.data = 0.0
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
