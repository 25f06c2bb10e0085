# exercise: adjoints-along
# about: an object with a method, as in Java
class Sweep:
    def __init__(self, seed):
        self.adjoints = [seed]
    def step(self, partial):
        self.adjoints += [self.adjoints[-1] * partial]
        return self
def adjoints_along(partials, seed=1):
    sweep = Sweep(seed)
    for place in range(1, len(partials) + 1):
        sweep = sweep.step(partials[-place])
    return tuple(sweep.adjoints[::-1])
