# exercise: collect
# misconception: fan-out-same-use-once
# about: a dict keyed by the user's adjoint
def collect(uses):
    return sum(u * l for u, l in dict(uses).items())
