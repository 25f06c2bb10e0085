# exercise: mean
# misconception: return-inside-the-loop
# about: the return stands in the loop
def mean(numbers):
    if not numbers:
        return 0.0
    total = 0
    for number in numbers:
        total += number
        return total
