# exercise: mean
# misconception: builtin-shadowed
# about: assigns to the name sum before it is called
def mean(numbers):
    if not numbers:
        return 0.0
    sum = sum(numbers)
    return sum / len(numbers)
