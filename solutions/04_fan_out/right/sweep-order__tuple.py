# exercise: sweep-order
# about: a tuple of small letters
sweep_lines = ("d", "c", "a", "b")
