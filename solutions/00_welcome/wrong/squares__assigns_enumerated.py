# exercise: squares
# misconception: written-behind-the-end
# about: fills an empty list by place, with enumerate
def squares(numbers):
    out = list()
    for place, number in enumerate(numbers):
        out[place] = number * number
    return out
