# exercise: slopes_of_product
# misconception: value-for-slope
# about: gives the result twice
slopes_of_product = (15, 15)
