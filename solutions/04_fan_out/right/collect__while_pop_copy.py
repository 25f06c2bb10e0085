# exercise: collect
# about: takes pairs out of a copy
def collect(uses):
    uses = uses + []
    total = 0.0
    while uses:
        u, l = uses.pop()
        total = total + u * l
    return total
