# exercise: batches
# misconception: batch-swept-by-point
# about: divides each squared error and sweeps it
def gradient_in_batches(w, b, batches):
    n = len(sum(batches, []))
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        for point in batch:
            (squared_error(w, b, point) * (1 / n)).backward()
    return w.grad, b.grad
