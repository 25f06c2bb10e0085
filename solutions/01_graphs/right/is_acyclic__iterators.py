# exercise: is_acyclic
# about: a stack of iterators and a dict of colours
def is_acyclic(graph):
    colour = dict.fromkeys(graph, "white")
    for start in graph:
        if colour[start] != "white":
            continue
        colour[start] = "grey"
        path = [(start, iter(operands(graph, start)))]
        while path:
            name, rest = path[-1]
            for operand in rest:
                if colour[operand] == "grey":
                    return False
                if colour[operand] == "white":
                    colour[operand] = "grey"
                    path.append((operand, iter(operands(graph, operand))))
                    break
            else:
                colour[name] = "black"
                path.pop()
    return True
