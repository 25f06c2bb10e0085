# exercise: batches
# misconception: batch-gradients-lost
# about: returns after the first batch
def gradient_in_batches(w, b, batches):
    count = sum(len(batch) for batch in batches)
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        (mean_loss(w, b, batch) * (len(batch) / count)).backward()
        return w.grad, b.grad
