"""From unit sources to grades: build, answer banks, execution, gradebook, feedback and report.

Knows nothing of the command line: every step is a function with keyword arguments and, where it takes long, a progress
callback.
"""
