# exercise: gradients
# misconception: fan-out-direct-path-only
# about: y gets what the product sends, and the sum's contribution is left out
def gradients(x, y):
    return (y, x + y)
