# exercise: mean
# misconception: builtin-shadowed
# about: calls a number, whose name is sum
def mean(numbers):
    sum = 0
    if not numbers:
        return 0.0
    return sum(numbers) / len(numbers)
