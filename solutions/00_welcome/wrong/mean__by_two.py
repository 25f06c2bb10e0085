# exercise: mean
# misconception: example-written-in
# about: divides by the 2 of the example
def mean(numbers):
    total = 0
    for number in numbers:
        total += number
    return total / 2
