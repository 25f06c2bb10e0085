# exercise: prediction
# misconception: operands-mixed-up
# about: the sum times x
prediction = 10.0
