# exercise: way_of_an_answer
# unnamed: yes
# about: hands in before testing
way_of_an_answer = ["C", "A", "E", "D", "B", "F"]
