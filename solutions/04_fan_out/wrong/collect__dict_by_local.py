# exercise: collect
# misconception: fan-out-same-use-once
# about: a dict from local derivative to adjoint
def collect(uses):
    by_local = {local: user for user, local in uses}
    return sum(user * local for local, user in by_local.items())
