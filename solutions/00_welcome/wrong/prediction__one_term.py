# exercise: prediction
# misconception: one-term-multiplied
# about: multiplies out the first term only
prediction = 2 * 3 + 3
