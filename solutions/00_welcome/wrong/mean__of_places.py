# exercise: mean
# misconception: place-taken-for-a-number
# about: adds the places up
def mean(numbers):
    total = 0
    for place in range(len(numbers)):
        total += place
    return total / len(numbers) if numbers else 0.0
