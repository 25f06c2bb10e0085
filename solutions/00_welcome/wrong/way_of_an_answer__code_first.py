# exercise: way_of_an_answer
# misconception: predicted-too-late
# about: writes the function before predicting
way_of_an_answer = ["C", "E", "A", "B", "D", "F"]
