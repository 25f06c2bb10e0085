# exercise: way_of_an_answer
# misconception: test-cell-decides
# about: lets the changed cell earn, and the grader put it back afterwards
way_of_an_answer = ["C", "A", "E", "B", "D", "G", "F"]
