# exercise: mean
# misconception: empty-input-forgotten
# about: divides before it asks
def mean(numbers):
    result = sum(numbers) / len(numbers)
    if len(numbers) == 0:
        return 0.0
    return result
