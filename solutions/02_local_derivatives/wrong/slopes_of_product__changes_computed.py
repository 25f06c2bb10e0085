# exercise: slopes_of_product
# misconception: change-for-slope
# about: computes the changes
slopes_of_product = (3.01 * 5 - 3 * 5, 3 * 5.01 - 3 * 5)
