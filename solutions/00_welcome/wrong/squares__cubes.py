# exercise: squares
# unnamed: yes
# about: one factor too many
def squares(numbers):
    return [number * number * number for number in numbers]
