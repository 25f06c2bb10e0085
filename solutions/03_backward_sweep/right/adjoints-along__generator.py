# exercise: adjoints-along
# about: a generator hands the adjoints out, last first; a tuple comes back
def adjoints_along(partials):
    def sweep():
        adjoint = 1.0
        yield adjoint
        for index in range(len(partials)):
            adjoint *= partials[~index]
            yield adjoint

    return tuple(sweep())[::-1]
