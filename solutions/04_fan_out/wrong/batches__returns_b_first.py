# exercise: batches
# misconception: fan-out-gradient-swapped
# about: the pair in the wrong order
def gradient_in_batches(w, b, batches):
    n = sum(map(len, batches))
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        (mean_loss(w, b, batch) * (len(batch) / n)).backward()
    return b.grad, w.grad
