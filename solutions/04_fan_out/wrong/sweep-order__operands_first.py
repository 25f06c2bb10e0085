# exercise: sweep-order
# misconception: sweep-passes-on-too-early
# about: runs in the order of the forward pass
sweep_lines = ["D", "F", "A", "B"]
