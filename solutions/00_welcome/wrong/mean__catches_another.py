# exercise: mean
# misconception: empty-input-forgotten
# about: catches another error
def mean(numbers):
    try:
        return sum(numbers) / len(numbers)
    except IndexError:
        return 0.0
