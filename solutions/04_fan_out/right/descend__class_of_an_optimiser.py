# exercise: descend
# about: a small optimiser class, as in the frameworks
class Descent:
    def __init__(self, parameters, rate):
        self.parameters, self.rate = parameters, rate

    def zero_grad(self):
        zero_grad(self.parameters)

    def step(self):
        for parameter in self.parameters:
            parameter.data += -self.rate * parameter.grad


def zero_grad(parameters):
    [setattr(parameter, "grad", None) for parameter in parameters]


def descend(start, points, rate, steps):
    w, b = map(Scalar, start)
    optimiser = Descent([w, b], rate)
    while steps > 0:
        optimiser.zero_grad()
        mean_loss(w, b, points).backward()
        optimiser.step()
        steps -= 1
    return w.data, b.data
