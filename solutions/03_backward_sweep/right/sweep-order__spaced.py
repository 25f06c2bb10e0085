# exercise: sweep-order
# about: Small letters with blanks.
sweep_order = "e a h c f b g i d"
