# exercise: adjoints-along
# misconception: adjoints-in-between-missing
# about: returns the slope of the whole chain only
import math
def adjoints_along(partials):
    return math.prod(partials)
