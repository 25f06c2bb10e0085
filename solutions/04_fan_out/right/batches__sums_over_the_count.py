# exercise: batches
# about: sums the squared errors of a batch, over the number of all points
def gradient_in_batches(w, b, batches):
    count = 0
    for batch in batches:
        count += len(batch)
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        loss = 0.0
        for point in batch:
            loss = loss + squared_error(w, b, point)
        loss = loss / count
        loss.backward()
    return w.grad, b.grad
