# exercise: predicted-slope
# about: Lets Python multiply.
predicted_slope = 2 * 7 * 1 * 3
