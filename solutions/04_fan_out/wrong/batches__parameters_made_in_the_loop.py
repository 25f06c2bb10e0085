# exercise: batches
# misconception: batch-gradients-lost
# about: makes new parameters for every batch and returns those of the last one
def gradient_in_batches(w, b, batches):
    for batch in batches:
        weight, offset = Scalar(w), Scalar(b)
        mean_loss(weight, offset, batch).backward()
    return weight.grad, offset.grad
