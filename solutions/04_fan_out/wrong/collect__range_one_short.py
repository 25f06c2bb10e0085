# exercise: collect
# misconception: loop-one-short
# about: range(len(uses) - 1)
def collect(uses):
    total = 0.0
    for i in range(len(uses) - 1):
        total += uses[i][0] * uses[i][1]
    return total
