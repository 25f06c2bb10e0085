# exercise: predicted-slope
# misconception: chain-one-step-only
# about: The last step alone.
predicted_slope = 14
