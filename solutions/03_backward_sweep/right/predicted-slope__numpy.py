# exercise: predicted-slope
# about: a NumPy number
import numpy

predicted_slope = numpy.int64(42)
