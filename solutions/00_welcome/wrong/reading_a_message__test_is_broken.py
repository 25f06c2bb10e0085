# exercise: reading_a_message
# misconception: expected-and-got-swapped
# about: thinks that the test wants 2.0
reading_a_message = "d"
