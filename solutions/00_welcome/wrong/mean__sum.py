# exercise: mean
# misconception: only-half-computed
# about: returns the sum
def mean(numbers):
    total = 0.0
    for number in numbers:
        total += number
    return total
