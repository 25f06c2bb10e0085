# exercise: descend
# misconception: step-moves-nothing
# about: computes the new values and drops them
def zero_grad(parameters):
    for p in parameters:
        p.grad = None


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data - rate * w.grad
        b.data - rate * b.grad
    return w.data, b.data
