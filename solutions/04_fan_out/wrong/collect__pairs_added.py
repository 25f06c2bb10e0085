# exercise: collect
# misconception: chain-slopes-added
# about: adds within the pair as well
def collect(uses):
    return sum(map(sum, uses))
