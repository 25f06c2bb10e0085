# exercise: backward-chain
# about: Collects the chain first, then loops over it.
def backward_chain(root):
    chain = [root]
    while chain[-1].operands:
        chain.append(chain[-1].operands[0])
    root.grad = 1.0
    for above, below in zip(chain, chain[1:]):
        below.grad = above.grad * above.partials[0]
