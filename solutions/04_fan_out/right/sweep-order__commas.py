# exercise: sweep-order
# about: letters with commas between them
sweep_lines = "D, C, A, B"
