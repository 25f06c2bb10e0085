# exercise: squares
# about: first number, then the rest
import sys

sys.setrecursionlimit(max(sys.getrecursionlimit(), 5000))


def squares(numbers):
    if not numbers:
        return []
    first, *rest = numbers
    return [first**2] + squares(rest)
