# exercise: mean
# misconception: empty-input-forgotten
# about: statistics.mean refuses an empty list
from statistics import mean
