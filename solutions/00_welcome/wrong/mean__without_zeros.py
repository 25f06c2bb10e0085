# exercise: mean
# unnamed: yes
# about: leaves the zeros out of the count
def mean(numbers):
    kept = [number for number in numbers if number]
    return sum(kept) / len(kept) if kept else 0.0
