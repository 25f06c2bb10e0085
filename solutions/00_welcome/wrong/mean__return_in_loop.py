# exercise: mean
# misconception: return-inside-the-loop
# about: return indented into the loop
def mean(numbers):
    total = 0
    if len(numbers) == 0:
        return 0.0
    for n in numbers:
        total = total + n
        return total / len(numbers)
