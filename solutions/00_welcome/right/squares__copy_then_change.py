# exercise: squares
# about: changes a copy in place
def squares(numbers):
    result = list(numbers)
    for i in range(len(result)):
        result[i] *= result[i]
    return result
