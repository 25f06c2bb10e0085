# exercise: mean
# about: a running mean, corrected by each number
def mean(numbers):
    so_far = 0.0
    for count, number in enumerate(numbers, start=1):
        so_far += (number - so_far) / count
    return so_far
