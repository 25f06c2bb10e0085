# exercise: sweep-order
# misconception: sweep-from-the-wrong-end
# about: Adjoints in the order of the values.
sweep_order = "EAHCDIGBF"
