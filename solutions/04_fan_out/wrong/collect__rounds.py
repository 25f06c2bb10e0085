# exercise: collect
# misconception: result-rounded
# about: rounds the sum to a whole number
def collect(uses):
    return round(sum(user * local for user, local in uses))
