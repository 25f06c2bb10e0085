# exercise: batches
# misconception: batch-mean-forgotten
# about: each batch's mean times its size
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        (mean_loss(w, b, batch) * len(batch)).backward()
    return w.grad, b.grad
