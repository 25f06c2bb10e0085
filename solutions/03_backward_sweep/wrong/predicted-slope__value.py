# exercise: predicted-slope
# misconception: value-for-adjoint
# about: The value of y.
predicted_slope = 49
