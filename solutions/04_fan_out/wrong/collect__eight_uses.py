# exercise: collect
# hidden-only: only nine uses show it
# about: adds eight contributions at most
def collect(uses):
    return sum(u * l for u, l in uses[:8])
