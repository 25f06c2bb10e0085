# exercise: batches
# misconception: batch-swept-by-point
# about: a sweep for every point
def gradient_in_batches(w, b, batches):
    n = sum(len(x) for x in batches)
    W, B = Scalar(w), Scalar(b)
    for batch in batches:
        for p in batch:
            squared_error(W, B, p).backward()
    return W.grad / n, B.grad / n
