# exercise: prediction
# about: lets Python compute it
x, y = 2.0, 3.0
prediction = (x + y) * y
