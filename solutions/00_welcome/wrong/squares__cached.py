# exercise: squares
# misconception: result-list-shared
# about: keeps every result in a default argument and hands the same list out again
def squares(numbers, seen={}):
    key = tuple(numbers)
    if key not in seen:
        seen[key] = [number * number for number in numbers]
    return seen[key]
