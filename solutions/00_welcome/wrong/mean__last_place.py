# exercise: mean
# misconception: count-is-one-off
# about: divides by the last place
def mean(numbers):
    if not numbers:
        return 0.0
    total = 0
    for place, number in enumerate(numbers):
        total += number
    return total / place if place else total
