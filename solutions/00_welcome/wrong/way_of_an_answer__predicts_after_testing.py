# exercise: way_of_an_answer
# misconception: predicted-too-late
# about: predicts when the test has been run
steps = "C E B A D F"
way_of_an_answer = steps.split()
