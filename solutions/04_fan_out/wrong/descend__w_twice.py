# exercise: descend
# misconception: step-one-gradient-for-both
# about: a copied line, in which w.grad has stayed
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * w.grad
    return w.data, b.data
