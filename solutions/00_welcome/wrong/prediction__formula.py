# exercise: prediction
# unnamed: yes
# about: writes the formula as a string
prediction = "(x + y) * y"
