# exercise: slopes_of_product
# unnamed: yes
# about: the results after the move
slopes_of_product = (15.05, 15.03)
