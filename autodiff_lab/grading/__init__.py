"""From unit sources to grades: build, answer banks, execution, gradebook, feedback and report. Knows nothing of the command line."""
