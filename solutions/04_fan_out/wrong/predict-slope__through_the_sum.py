# exercise: predict-slope
# misconception: fan-out-indirect-path-only
# about: the path through the sum only
slope_in_y = 4
