# exercise: sweep-order
# misconception: seed-not-one
# about: starts from the root's value
sweep_lines = ["G", "C", "A", "B"]
