# exercise: mean
# about: the standard library's fmean
import statistics


def mean(numbers):
    return statistics.fmean(numbers) if numbers else 0.0
