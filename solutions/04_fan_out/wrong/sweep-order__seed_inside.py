# exercise: sweep-order
# unnamed: an order that nobody holds for right
# about: sets the root's adjoint in the loop
sweep_lines = ["C", "D", "A", "B"]
