# exercise: predicted-slope
# misconception: chain-one-step-only
# about: The first step alone.
predicted_slope = 3
