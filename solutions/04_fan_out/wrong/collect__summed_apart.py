# exercise: collect
# misconception: fan-out-sums-multiplied
# about: sums adjoints and local derivatives apart and multiplies the sums
def collect(uses):
    return sum(user for user, local in uses) * sum(local for user, local in uses)
