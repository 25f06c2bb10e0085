# exercise: slopes_of_product
# misconception: product-like-a-sum
# about: both slopes 1, as for a sum
slopes_of_product = (1, 1)
