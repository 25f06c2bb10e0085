# exercise: slopes_of_product
# misconception: product-own-operand
# about: gives each operand its own value
slopes_of_product = (3, 5)
