# exercise: way_of_an_answer
# misconception: test-cell-decides
# about: believes that the notebook is thrown out
way_of_an_answer = ["C", "A", "E", "B", "D", "H"]
