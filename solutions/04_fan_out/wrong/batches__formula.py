# exercise: batches
# unnamed: no graph at all; the numbers are right, and say nothing of a cause
# about: a formula in place of the sweeps
def gradient_in_batches(w, b, batches):
    points = [p for batch in batches for p in batch]
    n = len(points)
    return sum(2 * (w * x + b - t) * x for x, t in points) / n, sum(2 * (w * x + b - t) for x, t in points) / n
