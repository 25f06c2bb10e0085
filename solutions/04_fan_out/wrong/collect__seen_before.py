# exercise: collect
# misconception: fan-out-same-use-once
# about: skips a pair that has been there
def collect(uses):
    done, total = [], 0.0
    for use in uses:
        if use not in done:
            done.append(use)
            total += use[0] * use[1]
    return total
