# exercise: sweep-order
# about: A list of letters.
sweep_order = ["E", "A", "H", "C", "F", "B", "G", "I", "D"]
