# exercise: descend
# about: clears with 0.0, after the step instead of before the loss, and steps in a loop over the parameters
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = 0.0


def descend(start, points, rate, steps):
    parameters = [Scalar(number) for number in start]
    for _ in range(steps):
        loss = mean_loss(*parameters, points)
        loss.backward()
        for parameter in parameters:
            parameter.data = parameter.data - rate * parameter.grad
        zero_grad(parameters)
    return tuple(parameter.data for parameter in parameters)
