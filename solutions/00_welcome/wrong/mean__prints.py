# exercise: mean
# misconception: nothing-returned
# about: prints the mean
def mean(numbers):
    if numbers:
        print(sum(numbers) / len(numbers))
    else:
        return 0.0
