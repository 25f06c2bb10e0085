# exercise: mean
# misconception: median-for-mean
# about: takes the median
import statistics


def mean(numbers):
    return statistics.median(numbers) if numbers else 0.0
