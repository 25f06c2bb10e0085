# exercise: mean
# misconception: empty-input-forgotten
# about: asks for None
def mean(numbers):
    if numbers is None:
        return 0.0
    return sum(numbers) / len(numbers)
