# exercise: mean
# unnamed: yes
# about: the middle between the least and the greatest
def mean(numbers):
    return (min(numbers) + max(numbers)) / 2 if numbers else 0.0
