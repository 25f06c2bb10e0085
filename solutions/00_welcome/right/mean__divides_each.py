# exercise: mean
# about: divides each number before it adds
def mean(numbers):
    return sum(n / len(numbers) for n in numbers)
