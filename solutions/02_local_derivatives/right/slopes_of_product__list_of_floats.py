# exercise: slopes_of_product
# about: a list of decimals
slopes_of_product = [5.0, 3.0]
