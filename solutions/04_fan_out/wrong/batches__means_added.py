# exercise: batches
# misconception: batch-means-added
# about: sweeps the mean loss of every batch as it is
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        mean_loss(w, b, batch).backward()
    return w.grad, b.grad
