# exercise: way_of_an_answer
# about: small letters in a tuple
way_of_an_answer = ("c", "a", "e", "b", "d", "f")
