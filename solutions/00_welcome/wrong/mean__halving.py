# exercise: mean
# misconception: mean-of-means
# about: halves in every round
def mean(numbers):
    result = None
    for number in numbers:
        result = number if result is None else (result + number) / 2
    return 0.0 if result is None else result
