# exercise: descend
# misconception: zero-grad-rebinds-a-name
# about: empties the name of the list
def zero_grad(parameters):
    parameters = []


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        w.grad = b.grad = None
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return w.data, b.data
