# exercise: collect
# misconception: fan-out-overwritten
# about: returns the last contribution of a list
def collect(uses):
    contributions = [0.0] + [user * local for user, local in uses]
    return contributions[-1]
