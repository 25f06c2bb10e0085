# exercise: sweep-order
# about: the four letters as one text
sweep_lines = "D C A B"
