# exercise: mean
# misconception: division-rounds-down
# about: divides with / and cuts off with int
def mean(numbers):
    if not numbers:
        return 0.0
    return int(sum(numbers) / len(numbers))
