# exercise: collect
# misconception: cache-outlives-the-call
# about: the sum stands outside the function
_total = 0.0


def collect(uses):
    global _total
    for u, l in uses:
        _total += u * l
    return _total
