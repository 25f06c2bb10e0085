# exercise: mean
# misconception: loop-one-short
# about: stops one place too early
def mean(numbers):
    total = 0.0
    for i in range(len(numbers) - 1):
        total += numbers[i]
    return total / len(numbers) if numbers else 0.0
