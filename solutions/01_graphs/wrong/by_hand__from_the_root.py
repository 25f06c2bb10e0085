# exercise: by_hand
# misconception: order-users-first
# about: begins at the root
by_hand = ["f", "p", "e", "w", "d", "y", "x"]
