# exercise: collect
# misconception: fan-out-averaged
# about: divides the sum by the number of uses
def collect(uses):
    if not uses:
        return 0.0
    return sum(user * local for user, local in uses) / len(uses)
