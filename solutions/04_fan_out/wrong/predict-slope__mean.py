# exercise: predict-slope
# misconception: fan-out-averaged
# about: the mean of 5 and 4
slope_in_y = 4.5
