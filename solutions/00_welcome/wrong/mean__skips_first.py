# exercise: mean
# misconception: first-left-out
# about: starts at place 1
def mean(numbers):
    total = 0.0
    for i in range(1, len(numbers)):
        total += numbers[i]
    return total / len(numbers) if numbers else 0.0
