# exercise: collect
# misconception: input-changed
# about: sorts the list that it is given
def collect(uses):
    uses.sort()
    return sum(u * l for u, l in uses)
