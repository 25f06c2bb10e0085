# exercise: by_hand
# misconception: dict-order-assumed
# about: takes the nodes as the dict lists them
by_hand = ["p", "y", "f", "e", "w", "x", "d"]
