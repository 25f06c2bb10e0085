# exercise: mean
# misconception: list-taken-for-a-number
# about: divides by the list instead of its length
def mean(numbers):
    if not numbers:
        return 0.0
    return sum(numbers) / numbers
