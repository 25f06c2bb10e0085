# exercise: mean
# misconception: nothing-returned
# about: returns None for the empty list
def mean(numbers):
    if len(numbers) == 0:
        return None
    return sum(numbers) / len(numbers)
