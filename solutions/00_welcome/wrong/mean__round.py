# exercise: mean
# misconception: result-rounded
# about: rounds to a whole number
def mean(numbers):
    if len(numbers) == 0:
        return 0.0
    return round(sum(numbers) / len(numbers))
