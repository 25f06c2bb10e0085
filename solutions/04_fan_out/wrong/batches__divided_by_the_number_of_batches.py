# exercise: batches
# misconception: batches-taken-for-equal
# about: divides by the number of batches, which is right only for equal ones
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        (mean_loss(w, b, batch) * (1.0 / len(batches))).backward()
    return w.grad, b.grad
