# exercise: batches
# misconception: batch-mean-forgotten
# about: lets the plain sum of squared errors accumulate
def gradient_in_batches(w, b, batches):
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        for point in batch:
            squared_error(w, b, point).backward()
    return w.grad, b.grad
