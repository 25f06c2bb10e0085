# exercise: expression
# misconception: brackets-ignored
# about: a lambda without brackets
expression = lambda x, y: x + y * y
