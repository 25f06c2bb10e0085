# exercise: gradcheck
# about: other names for the arguments, a list of claims, one less the ratio of the sizes asked twice
from math import isfinite


def gradcheck(function, rule, point, step, allowed):
    claimed = [*rule(*point)]
    return len(claimed) == len(point) and all(
        isfinite(c) and abs(c - m) <= allowed * sorted((abs(c), abs(m)))[-1]
        for c, m in zip(
            claimed,
            (
                (function(*point[:i], x + step, *point[i + 1 :]) - function(*point[:i], x - step, *point[i + 1 :]))
                / (2 * step)
                for i, x in enumerate(point)
            ),
        )
    )
