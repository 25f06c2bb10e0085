# exercise: collect
# about: the first use, and then the rest of them
def collect(uses):
    if not uses:
        return 0.0
    (user, local), *rest = uses
    return user * local + collect(rest)
