# exercise: error_as_h_shrinks
# about: a small letter
error_as_h_shrinks = "b"
