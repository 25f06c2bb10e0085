# exercise: way_of_an_answer
# misconception: test-cell-decides
# about: believes that the changed cell counts
way_of_an_answer = ["c", "a", "e", "b", "d", "g"]
