# exercise: sweep-order
# misconception: sweep-operands-first
# about: runs in the order of the forward pass
sweep_lines = ["D", "F", "A", "B"]
