# exercise: squares
# misconception: return-inside-the-loop
# about: return indented into the loop
def squares(numbers):
    result = []
    for number in numbers:
        result.append(number * number)
        return result
