# exercise: reading_a_message
# misconception: expected-and-got-swapped
# about: reads expected as what came
reading_a_message = "a"
