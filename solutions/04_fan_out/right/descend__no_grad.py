# exercise: descend
# about: no_grad around the step, a mean of its own
import autodiff_lab as ad


def zero_grad(parameters):
    i = 0
    while i < len(parameters):
        parameters[i].grad = 0
        i += 1


def descend(start, points, rate, steps):
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        zero_grad([w, b])
        loss = sum(squared_error(w, b, p) for p in points) / len(points)
        loss.backward()
        with ad.no_grad():
            w.data += -rate * w.grad
            b.data += -rate * b.grad
    return float(w.data), float(b.data)
