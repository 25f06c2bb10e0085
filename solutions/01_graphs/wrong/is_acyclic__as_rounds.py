# exercise: is_acyclic
# misconception: order-searched-again-and-again
# about: does the rounds of the text as they stand there
def is_acyclic(graph):
    done, ready = set(), True
    while ready:
        ready = [name for name in graph if name not in done and set(operands(graph, name)) <= done]
        done.update(ready)
    return len(done) == len(graph)
