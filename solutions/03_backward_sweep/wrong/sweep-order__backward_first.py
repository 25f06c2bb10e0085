# exercise: sweep-order
# misconception: backward-before-forward
# about: Adjoints first.
sweep_order = "FBGIDEAHC"
