# exercise: backward-chain
# misconception: cache-outlives-the-call
# about: remembers visited nodes outside of the function
VISITED = set()
def backward_chain(root):
    root.grad = 1.0
    while root.operands and root not in VISITED:
        VISITED.add(root)
        root.operands[0].grad = root.grad * root.partials[0]
        root = root.operands[0]
