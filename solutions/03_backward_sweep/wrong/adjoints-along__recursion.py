# exercise: adjoints-along
# misconception: sweep-recurses
# about: Calls itself for the rest of the chain.
def adjoints_along(partials):
    def rest(place):
        if place == len(partials):
            return [1.0]
        above = rest(place + 1)
        above.append(above[-1] * partials[place])
        return above

    return rest(0)[::-1]
