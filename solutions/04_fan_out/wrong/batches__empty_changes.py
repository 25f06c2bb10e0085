# exercise: batches
# misconception: input-changed
# about: takes the batches out of the list that it is given
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    n = sum(map(len, batches))
    while batches:
        batch = batches.pop()
        (mean_loss(w, b, batch) * (len(batch) / n)).backward()
    return w.grad, b.grad
