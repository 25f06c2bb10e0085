# exercise: mean
# unnamed: yes
# about: returns a message for the empty list
def mean(numbers):
    return sum(numbers) / len(numbers) if numbers else "no numbers"
