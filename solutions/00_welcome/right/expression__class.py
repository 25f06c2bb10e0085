# exercise: expression
# about: a callable object
class Expression:
    def __call__(self, x, y):
        self.total = x + y
        return self.total.__mul__(y)


expression = Expression()
