# exercise: squares
# misconception: result-list-shared
# about: keeps the list on a class
class Collector:
    found = []

    def add(self, number):
        self.found.append(number * number)


def squares(numbers):
    collector = Collector()
    for number in numbers:
        collector.add(number)
    return collector.found
