# exercise: squares
# misconception: return-inside-the-loop
# about: returns the first square
def squares(numbers):
    for n in numbers:
        return n * n
