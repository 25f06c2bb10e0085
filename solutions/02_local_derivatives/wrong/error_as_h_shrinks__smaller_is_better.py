# exercise: error_as_h_shrinks
# misconception: smaller-step-always-better
# about: expects an ever smaller error
error_as_h_shrinks = "A"
