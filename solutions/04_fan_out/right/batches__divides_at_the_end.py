# exercise: batches
# about: lets the gradients of sums accumulate and divides the two gradients once, at the end
def gradient_in_batches(w, b, batches):
    slope, offset = Scalar(w), Scalar(b)
    for batch in batches:
        (mean_loss(slope, offset, batch) * len(batch)).backward()
    points = len([point for batch in batches for point in batch])
    return slope.grad / points, offset.grad / points
