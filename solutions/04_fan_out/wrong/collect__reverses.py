# exercise: collect
# misconception: input-changed
# about: reverses the caller's list, to go from the root down
def collect(uses):
    uses.reverse()
    return float(sum(u * l for u, l in uses))
