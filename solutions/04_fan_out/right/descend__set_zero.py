# exercise: descend
# about: clears to 0 where there is something, a while loop, a list of results
def zero_grad(parameters):
    for p in parameters:
        if p.grad is not None:
            p.grad = 0.0


def descend(start, points, rate, steps):
    w, b = map(Scalar, start)
    params = (w, b)
    while steps > 0:
        zero_grad(params)
        loss = mean_loss(*params, points)
        loss.backward()
        for p in params:
            p.data = p.data - rate * (p.grad or 0.0)
        steps -= 1
    return [p.data for p in params]
