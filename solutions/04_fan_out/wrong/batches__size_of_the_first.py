# exercise: batches
# misconception: batches-taken-for-equal
# about: computes the number of points from the first batch
def gradient_in_batches(w, b, batches):
    count = len(batches) * len(batches[0])
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        for point in batch:
            (squared_error(w, b, point) * (1.0 / count)).backward()
    return w.grad, b.grad
