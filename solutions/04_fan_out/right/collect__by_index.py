# exercise: collect
# about: goes over positions, and multiplies in the other order
def collect(uses):
    contributions = []
    for i in range(len(uses)):
        contributions.append(uses[i][1] * uses[i][0])
    total = 0.0
    while contributions:
        total = total + contributions.pop()
    return total
