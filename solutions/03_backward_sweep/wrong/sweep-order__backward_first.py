# exercise: sweep-order
# unnamed: one of many wrong orders
# about: Adjoints first.
sweep_order = "FBGIDEAHC"
