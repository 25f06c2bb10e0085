# exercise: collect
# about: the first pair, and the rest by recursion; compares with an empty list
def collect(uses):
    if uses == []:
        return 0
    (u, l), *rest = uses
    return u * l + collect(rest)
