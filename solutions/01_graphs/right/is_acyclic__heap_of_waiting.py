# exercise: is_acyclic
# about: keeps the nodes in a heap by what they wait for
import heapq


def is_acyclic(graph):
    waits = {name: len(operands(graph, name)) for name in graph}
    users = {}
    for name in graph:
        for operand in operands(graph, name):
            users.setdefault(operand, []).append(name)
    heap = [(count, name) for name, count in waits.items()]
    heapq.heapify(heap)
    done = set()
    while heap and heap[0][0] == 0:
        name = heapq.heappop(heap)[1]
        if name not in done:
            done.add(name)
            for user in users.get(name, ()):
                waits[user] -= 1
                heapq.heappush(heap, (waits[user], user))
    return len(done) == len(graph)
