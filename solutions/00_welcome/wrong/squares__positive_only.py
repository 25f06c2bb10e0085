# exercise: squares
# unnamed: yes
# about: leaves out what is below zero
def squares(numbers):
    return [number**2 for number in numbers if number >= 0]
