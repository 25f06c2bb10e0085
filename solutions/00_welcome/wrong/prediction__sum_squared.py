# exercise: prediction
# misconception: sum-times-itself
# about: takes the sum for both factors
prediction = (2 + 3) ** 2
