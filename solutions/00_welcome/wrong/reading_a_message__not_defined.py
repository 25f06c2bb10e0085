# exercise: reading_a_message
# unnamed: yes
# about: takes any red message for a missing function
reading_a_message = "c"
