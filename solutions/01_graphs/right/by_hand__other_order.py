# exercise: by_hand
# about: another valid order
by_hand = ["w", "y", "x", "d", "e", "p", "f"]
