# exercise: collect
# about: columns by zip, where there are any
def collect(uses):
    users, locals_ = zip(*uses) if uses else ((), ())
    return sum(map(lambda u, p: u * p, users, locals_))
