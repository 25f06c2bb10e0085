# exercise: sweep-order
# misconception: backward-before-forward
# about: thinks that an adjoint is ready with its value
sweep_order = "EIADGHBCF"
