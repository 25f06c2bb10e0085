# exercise: squares
# unnamed: yes
# about: a list of lists
def squares(numbers):
    result = []
    for number in numbers:
        result.append([number**2])
    return result
