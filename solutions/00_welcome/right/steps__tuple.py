# exercise: steps
# about: small letters in a tuple
steps = ("c", "a", "e", "b", "d")
