# exercise: by_hand
# misconception: dict-order-assumed
# about: takes the nodes in alphabetical order
by_hand = ["d", "e", "f", "p", "w", "x", "y"]
