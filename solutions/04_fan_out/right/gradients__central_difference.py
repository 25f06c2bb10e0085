# exercise: gradients
# about: measured with a symmetric nudge, which is exact for a quadratic but for rounding
def gradients(x, y):
    def f(x, y):
        return (x + y) * y

    h = 1e-3
    return (f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)
