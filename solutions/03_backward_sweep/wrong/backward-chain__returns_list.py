# exercise: backward-chain
# misconception: adjoints-not-written
# about: returns the adjoints and writes none
def backward_chain(root):
    out, node, a = [1.0], root, 1.0
    while node.operands:
        a *= node.partials[0]
        out.append(a)
        node = node.operands[0]
    return out
