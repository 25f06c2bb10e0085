# exercise: mean
# misconception: last-value-only
# about: sets the total to 0 in every round
def mean(numbers):
    if numbers == []:
        return 0.0
    for number in numbers:
        total = 0
        total += number
    return total / len(numbers)
