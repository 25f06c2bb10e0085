# exercise: sweep-order
# about: small letters in a tuple
sweep_lines = ("d", "c", "a", "b")
