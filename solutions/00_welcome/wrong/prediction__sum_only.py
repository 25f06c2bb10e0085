# exercise: prediction
# misconception: only-half-computed
# about: stops after the sum
prediction = 5
