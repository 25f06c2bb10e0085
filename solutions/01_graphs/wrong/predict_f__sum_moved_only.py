# exercise: predict_f
# misconception: shared-input-moved-once
# about: moves y in the sum and not in the product
prediction_f = 18
