# exercise: batches
# misconception: batch-gradients-lost
# about: sets both gradients to 0.0 before each sweep
def gradient_in_batches(w, b, batches):
    n = sum(len(batch) for batch in batches)
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        w.grad = b.grad = 0.0
        (mean_loss(w, b, batch) * (len(batch) / n)).backward()
    return w.grad, b.grad
