# exercise: backward-chain
# about: a cumulative product of NumPy
import numpy as np


def backward_chain(root):
    chain = [root]
    while chain[-1].operands:
        chain.append(chain[-1].operands[0])
    adj = np.cumprod([1.0] + [n.partials[0] for n in chain[:-1]])
    for n, a in zip(chain, adj):
        n.grad = a
