# exercise: batches
# misconception: batches-taken-for-equal
# about: leaves out a last batch that is not full, as data loaders do with drop_last
def gradient_in_batches(w, b, batches):
    full = [batch for batch in batches if len(batch) == len(batches[0])]
    count = sum(len(batch) for batch in full)
    w, b = Scalar(w), Scalar(b)
    for batch in full:
        (mean_loss(w, b, batch) * (len(batch) / count)).backward()
    return w.grad, b.grad
