# exercise: forward
# about: a small class that holds graph and values, operations with match
from graphlib import TopologicalSorter


class Evaluation:
    def __init__(self, graph, inputs):
        self.graph, self.inputs, self.values = graph, inputs, {}

    def compute(self, name):
        match tuple(self.graph[name]):
            case ("input",):
                return self.inputs[name]
            case ("const", number):
                return number
            case (operation, *names):
                return OPERATIONS[operation](*[self.values[each] for each in names])

    def run(self):
        for name in TopologicalSorter({name: operands(self.graph, name) for name in self.graph}).static_order():
            self.values[name] = self.compute(name)
        return self.values


def forward(graph, inputs):
    return Evaluation(graph, inputs).run()
