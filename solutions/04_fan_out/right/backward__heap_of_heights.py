# exercise: backward
# about: a heap of nodes by their height above the leaves, found in rounds
import heapq


def backward(root):
    order, seen, stack = [], {root}, [(root, iter(root.operands))]
    while stack:
        node, rest = stack[-1]
        for operand in rest:
            if operand not in seen:
                seen.add(operand)
                stack.append((operand, iter(operand.operands)))
                break
        else:
            order.append(node)
            stack.pop()
    height = {}
    for node in order:
        height[node] = 1 + max((height[operand] for operand in node.operands), default=0)
    heap = [(-height[node], place) for place, node in enumerate(order)]
    heapq.heapify(heap)
    root.grad = root.grad + 1.0
    while heap:
        node = order[heapq.heappop(heap)[1]]
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
