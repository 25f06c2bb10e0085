# exercise: batches
# misconception: batches-taken-for-equal
# about: a list of gradients, and their mean
def gradient_in_batches(w, b, batches):
    found = []
    for batch in batches:
        p, q = Scalar(w), Scalar(b)
        mean_loss(p, q, batch).backward()
        found.append((p.grad, q.grad))
    return tuple(sum(column) / len(found) for column in zip(*found))
