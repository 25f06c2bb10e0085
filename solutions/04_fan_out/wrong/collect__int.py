# exercise: collect
# misconception: result-rounded
# about: cuts off the digits of each contribution
def collect(uses):
    total = 0
    for u, l in uses:
        total += int(u * l)
    return total
