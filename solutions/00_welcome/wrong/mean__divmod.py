# exercise: mean
# misconception: division-rounds-down
# about: takes the quotient of divmod
def mean(numbers):
    if not numbers:
        return 0.0
    quotient, rest = divmod(sum(numbers), len(numbers))
    return quotient
