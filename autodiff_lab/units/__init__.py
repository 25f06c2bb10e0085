"""What the tests of each unit know: right answers by definition, and the rules that wrong answers follow.

One module per unit, for its test cells. No student's kernel has this package while it is graded: `grading/masks.py`
hides it as a whole, so whatever knows a right answer lives here and nowhere else.
"""
