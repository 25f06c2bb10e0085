# exercise: mean
# misconception: result-as-text
# about: formats the mean
def mean(numbers):
    if not numbers:
        return "0.0"
    return f"{sum(numbers) / len(numbers)}"
