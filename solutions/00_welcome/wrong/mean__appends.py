# exercise: mean
# misconception: input-changed
# about: puts a 0 into an empty list, and into any other
def mean(numbers):
    count = len(numbers)
    numbers.append(0.0)
    return sum(numbers) / max(count, 1)
