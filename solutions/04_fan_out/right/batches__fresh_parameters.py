# exercise: batches
# about: fresh parameters for every batch, and the weighted gradients added by hand
def gradient_in_batches(w, b, batches):
    count = sum(map(len, batches))
    totals = [0.0, 0.0]
    for batch in batches:
        parameters = [Scalar(w), Scalar(b)]
        mean_loss(*parameters, batch).backward()
        for k, parameter in enumerate(parameters):
            totals[k] += parameter.grad * len(batch) / count
    return totals
