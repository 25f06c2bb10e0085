# exercise: mean
# misconception: mean-of-means
# about: halves in every round, from 0 on
def mean(numbers):
    so_far = 0.0
    for number in numbers:
        so_far = (so_far + number) / 2
    return so_far
