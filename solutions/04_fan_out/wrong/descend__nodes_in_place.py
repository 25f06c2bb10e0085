# exercise: descend
# misconception: parameter-replaced
# about: w -= rate * w.grad, without .data
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w -= rate * w.grad
        b -= rate * b.grad
    return w.data, b.data
