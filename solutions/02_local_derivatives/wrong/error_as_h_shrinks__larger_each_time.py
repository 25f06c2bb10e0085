# exercise: error_as_h_shrinks
# unnamed: yes
# about: D
error_as_h_shrinks = "D"
