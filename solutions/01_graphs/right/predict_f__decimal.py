# exercise: predict_f
# about: writes the number with a decimal point
prediction_f = 24.0
