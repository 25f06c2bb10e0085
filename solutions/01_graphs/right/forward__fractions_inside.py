# exercise: forward
# about: computes with what it is given, and knows its own operations
from graphlib import TopologicalSorter


def forward(graph, inputs):
    answer = dict(inputs)
    for name in TopologicalSorter({name: set(operands(graph, name)) for name in graph}).static_order():
        match graph[name]:
            case ["const", number]:
                answer[name] = number
            case [sign, one]:
                answer[name] = OPERATIONS[sign](answer[one])
            case [sign, one, other]:
                answer[name] = OPERATIONS[sign](answer[one], answer[other])
    return answer
