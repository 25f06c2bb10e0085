# exercise: squares
# hidden-only: the list in the default argument is shared by all calls, seen at the second call with the same kernel
# about: a mutable default argument grows from call to call
def squares(numbers, seen={}):
    key = tuple(numbers)
    if key not in seen:
        seen[key] = [number * number for number in numbers]
    return seen[key]
