"""Static graphs: a function traced to a program, and what can be done with a program."""
