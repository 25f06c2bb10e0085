# exercise: reading_a_message
# unnamed: yes
# about: copies the sentence instead of its letter
reading_a_message = "half(5.0) returns 2.0, and the test wants 2.5"
