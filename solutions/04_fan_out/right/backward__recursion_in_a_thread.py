# exercise: backward
# about: recursion in a thread with a large stack
import sys, threading


def backward(root):
    def work():
        order, seen = [], set()

        def visit(n):
            if n not in seen:
                seen.add(n)
                for o in n.operands:
                    visit(o)
                order.append(n)

        visit(root)
        root.grad = 1.0
        for n in reversed(order):
            for o, p in zip(n.operands, n.partials):
                o.grad += n.grad * p

    old = sys.getrecursionlimit()
    sys.setrecursionlimit(200000)
    threading.stack_size(512 * 1024 * 1024)
    t = threading.Thread(target=work)
    t.start()
    t.join()
    sys.setrecursionlimit(old)
