# exercise: predicted-slope
# about: The same number as a float.
predicted_slope = 14.0 * 1.0 * 3.0
