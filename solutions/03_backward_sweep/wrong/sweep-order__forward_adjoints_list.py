# exercise: sweep-order
# misconception: sweep-from-the-wrong-end
# about: The same, as a list.
sweep_order = list("EAHCDIGBF")
