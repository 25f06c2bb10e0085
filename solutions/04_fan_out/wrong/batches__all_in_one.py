# exercise: batches
# misconception: batches-in-one-graph
# about: puts all batches into one graph
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    mean_loss(w, b, [p for batch in batches for p in batch]).backward()
    return w.grad, b.grad
