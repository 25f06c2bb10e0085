# exercise: collect
# about: a sum over a generator
def collect(uses):
    return sum(user * local for user, local in uses)
