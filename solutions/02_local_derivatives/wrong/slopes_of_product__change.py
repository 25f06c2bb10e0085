# exercise: slopes_of_product
# misconception: change-for-slope
# about: gives the change and does not divide
slopes_of_product = (0.05, 0.03)
