# exercise: sweep-order
# unnamed: one pair in the wrong order
# about: the adjoint of w before that of the product
sweep_order = "EAHCFBGDI"
