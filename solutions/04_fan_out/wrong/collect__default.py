# exercise: collect
# misconception: cache-outlives-the-call
# about: the contributions are a default argument
def collect(uses, found=[]):
    for u, l in uses:
        found.append(u * l)
    return sum(found)
