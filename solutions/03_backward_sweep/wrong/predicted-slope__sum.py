# exercise: predicted-slope
# misconception: chain-slopes-added
# about: Adds the three factors.
predicted_slope = 3 + 1 + 14
