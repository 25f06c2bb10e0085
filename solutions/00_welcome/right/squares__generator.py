# exercise: squares
# about: a generator inside, a list outside
def squares(numbers):
    def each():
        for number in numbers:
            yield number**2

    return [*each()]
