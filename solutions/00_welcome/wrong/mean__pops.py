# exercise: mean
# misconception: input-changed
# about: pops the numbers off the list
def mean(numbers):
    size = len(numbers)
    total = 0
    while numbers:
        total += numbers.pop()
    return total / size if size else 0.0
