# exercise: binary_partials
# about: an imaginary nudge, exact without a rule
import operator

FUNCTIONS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}


def binary_partials(op, a, b, y):
    f, tiny = FUNCTIONS[op], 1e-200
    if op == "**":
        a, b = complex(a), complex(b)
        tiny = 1e-20
    return f(a + tiny * 1j, b).imag / tiny, f(a, b + tiny * 1j).imag / tiny
