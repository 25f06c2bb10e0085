# exercise: mean
# misconception: result-rounded
# about: cuts the sum off before dividing
def mean(numbers):
    if not numbers:
        return 0.0
    total = int(sum(numbers))
    return total / len(numbers)
