# exercise: predict-slope
# misconception: fan-out-direct-path-only
# about: the other factor, and no more
slope_in_y = 5
