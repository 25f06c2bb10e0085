# exercise: by_hand
# about: a tuple, and w as late as possible
by_hand = ("y", "x", "d", "e", "w", "p", "f")
