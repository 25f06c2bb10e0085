# exercise: squares
# misconception: added-up-not-collected
# about: adds the squares up
def squares(numbers):
    total = 0
    for number in numbers:
        total = total + number**2
    return total
