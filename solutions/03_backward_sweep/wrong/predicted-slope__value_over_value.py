# exercise: predicted-slope
# misconception: value-for-adjoint
# about: divides y by x
predicted_slope = 49 / 2
