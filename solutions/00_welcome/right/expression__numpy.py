# exercise: expression
# about: a NumPy array without axes comes back
import numpy as np

expression = np.vectorize(lambda x, y: np.float64(x + y) * y)
