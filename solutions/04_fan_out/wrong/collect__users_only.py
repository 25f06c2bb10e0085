# exercise: collect
# misconception: local-derivative-forgotten
# about: adds the adjoints of the users
def collect(uses):
    return sum(user for user, local in uses)
