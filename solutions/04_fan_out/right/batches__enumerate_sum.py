# exercise: batches
# about: the sum of a batch over the number of all points
def gradient_in_batches(w, b, batches):
    W, B = Scalar(w), Scalar(b)
    n = sum(map(len, batches))
    for batch in batches:
        loss = sum(squared_error(W, B, p) for p in batch) * (1 / n)
        loss.backward()
    return [W.grad, B.grad]
