# exercise: sweep-order
# about: letters with commas between them
sweep_order = "E, A, H, C, F, B, G, I, D"
