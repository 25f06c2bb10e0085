# exercise: collect
# misconception: fan-out-sums-multiplied
# about: adds all adjoints, adds all local derivatives, multiplies the two sums
def collect(uses):
    return sum(user for user, local in uses) * sum(local for user, local in uses)
