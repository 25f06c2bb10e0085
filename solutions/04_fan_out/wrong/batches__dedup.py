# exercise: batches
# misconception: fan-out-same-use-once
# about: counts equal points once
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    n = len({p for batch in batches for p in batch})
    for batch in batches:
        (mean_loss(w, b, batch) * (len(batch) / n)).backward()
    return w.grad, b.grad
