# exercise: expression
# about: a lambda with functions instead of operators
import operator

expression = lambda x, y: operator.mul(operator.add(x, y), y)
