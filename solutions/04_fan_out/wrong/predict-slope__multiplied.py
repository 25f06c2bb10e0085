# exercise: predict-slope
# misconception: fan-out-paths-multiplied
# about: 5 times 4
slope_in_y = 20
