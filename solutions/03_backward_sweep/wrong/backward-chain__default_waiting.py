# exercise: backward-chain
# misconception: cache-outlives-the-call
# about: the chain is a default argument and grows from call to call
def backward_chain(root, chain=[]):
    chain.append(root)
    while chain[-1].operands:
        chain.append(chain[-1].operands[0])
    adjoint = 1.0
    for node in chain:
        node.grad = adjoint
        if node.partials:
            adjoint *= node.partials[0]
