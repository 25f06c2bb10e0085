# exercise: predict_f
# misconception: shared-input-moved-once
# about: moves y in the product and not in the sum
prediction_f = 20.0
