# exercise: squares
# about: fills a list of zeros by position
def squares(numbers):
    result = [0] * len(numbers)
    for place, number in enumerate(numbers):
        result[place] = pow(number, 2)
    return result
