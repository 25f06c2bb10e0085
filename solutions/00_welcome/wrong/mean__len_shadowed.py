# exercise: mean
# misconception: builtin-shadowed
# about: calls a number, whose name is len
def mean(numbers):
    len = 0
    total = 0
    for number in numbers:
        total += number
    return total / len(numbers) if numbers else 0.0
