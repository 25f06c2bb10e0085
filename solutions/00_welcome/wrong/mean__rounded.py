# exercise: mean
# misconception: result-rounded
# about: rounds to four digits
def mean(numbers):
    return round(sum(numbers) / len(numbers), 4) if numbers else 0.0
