# exercise: reading_a_message
# about: a capital letter, with blanks around it
reading_a_message = " B "
