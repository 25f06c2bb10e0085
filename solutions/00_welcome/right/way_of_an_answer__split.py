# exercise: way_of_an_answer
# about: splits a string
way_of_an_answer = "C A E B D F".split()
