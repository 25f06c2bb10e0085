# exercise: sweep-order
# misconception: fan-out-overwritten
# about: chooses the line with `=`
sweep_lines = ["D", "C", "A", "E"]
