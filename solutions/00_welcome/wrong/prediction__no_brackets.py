# exercise: prediction
# misconception: brackets-ignored
# about: 2 + 3 * 3
prediction = 11
