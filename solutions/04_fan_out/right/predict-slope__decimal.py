# exercise: predict-slope
# about: a decimal number
slope_in_y = 9.0
