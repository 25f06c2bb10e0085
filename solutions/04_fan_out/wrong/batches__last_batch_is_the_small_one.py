# exercise: batches
# misconception: batches-taken-for-equal
# about: takes all batches but the last to be as large as the first
def gradient_in_batches(w, b, batches):
    count = len(batches[0]) * (len(batches) - 1) + len(batches[-1])
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        (mean_loss(w, b, batch) * (len(batch) / count)).backward()
    return w.grad, b.grad
