# exercise: is_acyclic
# unnamed: yes
# about: forgets to put a user on the list when it becomes ready
def is_acyclic(graph):
    users = {name: [] for name in graph}
    waiting = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in graph if waiting[name] == 0]
    done = 0
    while ready:
        name = ready.pop()
        done += 1
        for user in users[name]:
            waiting[user] -= 1
    return done == len(graph)
