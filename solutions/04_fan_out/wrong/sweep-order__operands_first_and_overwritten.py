# exercise: sweep-order
# misconception: sweep-operands-first
# about: the forward order, and assigns
sweep_lines = ["D", "F", "A", "E"]
