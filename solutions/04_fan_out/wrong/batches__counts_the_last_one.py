# exercise: batches
# misconception: batches-taken-for-equal
# about: the size of the last batch times the number of batches
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        loss = mean_loss(w, b, batch)
        (loss * (len(batch) / (len(batch) * len(batches)))).backward()
    return w.grad, b.grad
