# exercise: batches
# about: a share for each batch, all in one generator
def gradient_in_batches(w, b, batches):
    n = sum(map(len, batches))
    leaves = Scalar(w), Scalar(b)
    shares = ((mean_loss(*leaves, batch), len(batch) / n) for batch in batches)
    for loss, share in shares:
        (loss * share).backward()
    return [leaf.grad for leaf in leaves]
