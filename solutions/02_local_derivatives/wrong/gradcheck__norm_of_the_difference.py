# exercise: gradcheck
# misconception: gradcheck-lumps-partials
# about: the length of the difference against the length of the slopes
import numpy as np


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = np.array(partials(*inputs), dtype=float)
    if len(claims) != len(inputs) or not np.isfinite(claims).all():
        return False
    slopes = []
    for step in h * np.eye(len(inputs)):
        slopes.append((f(*(inputs + step).tolist()) - f(*(inputs - step).tolist())) / (2 * h))
    slopes = np.array(slopes)
    size = max(np.linalg.norm(claims), np.linalg.norm(slopes))
    return bool(np.linalg.norm(claims - slopes) <= tolerance * size)
