# exercise: gradients
# misconception: sum-like-a-product
# about: a = x + y sends y to x and x to y
def gradients(x, y):
    a = x + y
    return y * y, a + y * x
