# exercise: mean
# misconception: empty-input-forgotten
# about: mends the division only
def mean(numbers):
    return sum(numbers) / len(numbers)
