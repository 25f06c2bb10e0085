# exercise: mean
# unnamed: yes
# about: divides in every round
def mean(numbers):
    total = 0.0
    for number in numbers:
        total = (total + number) / len(numbers)
    return total
