# exercise: sweep-order
# misconception: sweep-passes-on-too-early
# about: the forward order, and assigns
sweep_lines = ["D", "F", "A", "E"]
