# exercise: mean
# misconception: place-behind-the-end
# about: goes one place too far
def mean(numbers):
    if not numbers:
        return 0.0
    total = 0.0
    for i in range(len(numbers) + 1):
        total += numbers[i]
    return total / len(numbers)
