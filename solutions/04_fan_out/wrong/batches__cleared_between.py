# exercise: batches
# misconception: batch-gradients-lost
# about: clears before every batch, as in the training loop, and keeps the last batch only
def gradient_in_batches(w, b, batches):
    count = sum(len(batch) for batch in batches)
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        w.grad = b.grad = None
        (mean_loss(w, b, batch) * (len(batch) / count)).backward()
    return w.grad, b.grad
