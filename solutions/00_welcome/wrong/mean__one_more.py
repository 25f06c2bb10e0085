# exercise: mean
# misconception: count-is-one-off
# about: counts from 1 and divides by what comes next
def mean(numbers):
    total, count = 0.0, 1
    for number in numbers:
        total += number
        count += 1
    return total / count
