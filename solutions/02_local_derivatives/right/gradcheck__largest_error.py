# exercise: gradcheck
# about: the largest error, with zero, nan and infinity treated by hand
def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    worst = 0.0
    claims = list(partials(*inputs))
    if not len(claims) == len(inputs):
        return False
    for index in range(len(inputs)):
        points = []
        for step in (h, -h):
            point = [float(value) for value in inputs]
            point[index] = point[index] + step
            points.append(point)
        slope = (f(*points[0]) - f(*points[1])) / (2 * h)
        if claims[index] - claims[index] != 0:  # nan, or an infinity
            return False
        if claims[index] == slope == 0:
            continue
        error = abs(claims[index] - slope) / max(abs(claims[index]), abs(slope))
        worst = max(worst, error)
    return worst <= tolerance
