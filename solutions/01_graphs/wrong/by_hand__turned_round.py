# exercise: by_hand
# misconception: order-placed-at-first-visit
# about: copies the line that the text shows to be wrong
by_hand = ["e", "w", "y", "x", "p", "d", "f"]
