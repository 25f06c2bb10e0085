# exercise: way_of_an_answer
# unnamed: yes
# about: puts all eight cards down in their given order
way_of_an_answer = list("ABCDEFGH")
