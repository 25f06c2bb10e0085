# exercise: error_as_h_shrinks
# misconception: smaller-step-always-better
# about: expects the error to level off
error_as_h_shrinks = "C"
