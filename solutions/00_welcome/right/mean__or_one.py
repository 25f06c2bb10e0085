# exercise: mean
# about: divides by the length or 1
mean = lambda numbers: sum(numbers, 0.0) / (len(numbers) or 1)
