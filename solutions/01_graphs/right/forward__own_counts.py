# exercise: forward
# about: counts missing operands itself, begins with a copy of the inputs
def forward(graph, inputs):
    values = dict(inputs)
    missing = {name: len(operands(graph, name)) for name in graph}
    users = {name: [] for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in graph if missing[name] == 0]
    while ready:
        name = ready.pop(0)
        if graph[name][0] == "const":
            values[name] = graph[name][1]
        elif graph[name][0] != "input":
            values[name] = OPERATIONS[graph[name][0]](*map(values.get, graph[name][1:]))
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return values
