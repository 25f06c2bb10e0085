# exercise: gradients
# misconception: nothing-returned
# about: prints the pair instead of returning it
def gradients(x, y):
    print(y, x + 2 * y)
