# exercise: slopes_of_product
# about: an array
import numpy as np

slopes_of_product = np.array([5.0, 3.0])
