# exercise: batches
# misconception: cache-outlives-the-call
# about: parameters outside the function collect from call to call
_w, _b = Scalar(0.0), Scalar(0.0)


def gradient_in_batches(w, b, batches):
    _w.data, _b.data = w, b
    n = sum(map(len, batches))
    for batch in batches:
        (mean_loss(_w, _b, batch) * (len(batch) / n)).backward()
    return _w.grad, _b.grad
