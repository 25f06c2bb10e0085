# exercise: collect
# misconception: nothing-returned
# about: prints the sum
def collect(uses):
    print(sum(user * local for user, local in uses))
