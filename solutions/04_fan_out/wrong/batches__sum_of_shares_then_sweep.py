# exercise: batches
# misconception: batches-in-one-graph
# about: adds the losses of the batches, and sweeps the sum
def gradient_in_batches(w, b, batches):
    n = sum(len(batch) for batch in batches)
    w, b = Scalar(w), Scalar(b)
    total = Scalar(0.0)
    for batch in batches:
        total = total + mean_loss(w, b, batch) * (len(batch) / n)
    total.backward()
    return w.grad, b.grad
