"""The backward sweep: from the roots to the leaves, each node once, when all its uses have delivered their shares.

Nothing here knows an operation: a node's rule pulls its adjoint through to the operands. All state of a sweep is in:

    ready      nodes whose adjoint is complete, each followed by it: the next to be pulled is at the end
    waiting    for each node that is used more than once, how many uses have not delivered yet
    adjoints   the sums so far, of the nodes that wait and of the leaves
"""

from __future__ import annotations

from functools import partial
from threading import RLock

from autodiff_lab.engine.handed import handed, settle
from autodiff_lab.engine.modes import enable_grad, no_grad, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

FREED = object()  # where the links of a node lead once a sweep has passed it
accumulating = RLock()  # held while a ``grad`` is read, added to and set, for sweeps in several threads


def backward(root: Any, gradient: Any, retain_graph: bool | None, create_graph: bool) -> None:
    """Sweep from ``root`` and add each leaf's adjoint to its ``grad``; `Node.backward` says what the arguments mean."""
    for leaf, g in sweep([(root, gradient)], retain_graph, create_graph).items():
        if leaf._rule.own:
            g = leaf._rule.arrive(g, leaf)
        with accumulating:
            leaf._accumulate(g)


def sweep(seeds: list[tuple[Any, Any]], retain_graph: bool | None, create_graph: bool) -> dict[Any, Any]:
    """Pull the adjoints in ``seeds``, pairs of a root and its adjoint (None: 1), down to the leaves; return theirs."""
    on_nodes = create_graph or state.trace is not None  # a trace writes down what is done with nodes
    if on_nodes and state.recording != create_graph:
        return (enable_grad if create_graph else no_grad)()(sweep)(seeds, retain_graph, create_graph)
    seeds = [(root, first_adjoint(root, gradient, on_nodes)) for root, gradient in seeds]
    retain = create_graph if retain_graph is None else retain_graph
    if handed:
        settle(partial(topological_order, *[root for root, _ in seeds]))
    waiting = count_uses([root for root, _ in seeds])
    ready: list[Any] = []
    adjoints: dict[Any, Any] = {}
    for root, g in seeds:
        deliver(root, g, ready, waiting, adjoints)
    try:
        if on_nodes or retain:
            pull_all(ready, waiting, adjoints, on_nodes, retain)
        else:
            pull_values(ready, waiting, adjoints)
    except AttributeError as error:
        if error.obj is not FREED:
            raise
        raise RuntimeError(
            "backward through a graph that another sweep freed meanwhile, in another thread or in a hook: both came "
            "to the same nodes. Pass retain_graph=True to both, or let one end before the other begins."
        ) from None
    return {leaf: leaf._as_adjoint(g, True) for leaf, g in adjoints.items()} if on_nodes else adjoints


def pull_all(ready: list[Any], waiting: dict[Any, int], adjoints: dict[Any, Any], on_nodes: bool, retain: bool) -> None:
    """Pull until nothing is ready."""
    while ready:
        g = ready.pop()
        node = ready.pop()
        rule = node._rule
        if on_nodes:
            rule.pull_graph(g, node, ready, waiting, adjoints)
        else:
            rule.pull(g, node, ready, waiting, adjoints)
        if not retain:
            node._a = node._b = FREED
            if rule.own:
                rule.free()


def pull_values(ready: list[Any], waiting: dict[Any, int], adjoints: dict[Any, Any]) -> None:
    """`pull_all` of values, through a graph that is let go: the usual sweep. `rules` puts a faster one in its place."""
    pull_all(ready, waiting, adjoints, on_nodes=False, retain=False)


def count_uses(roots: list[Any]) -> dict[Any, int]:
    """The computed nodes that are used more than once on the way from ``roots``, and how often; a root is a use."""
    seen: set[Any] = set()
    uses: dict[Any, int] = {}
    stack: list[Any] = []
    for root in roots:
        if root in seen:
            uses[root] = uses.get(root, 1) + 1
        elif root._a is not None:
            seen.add(root)
            stack.append(root)
    node: Any = None
    try:
        while stack:
            node = stack.pop()
            while True:  # a second operand waits; written out, because a loop over a pair takes a third longer
                x = node._b
                if x is not None and x._a is not None:  # not a leaf
                    if x in seen:
                        uses[x] = uses.get(x, 1) + 1
                    else:
                        seen.add(x)
                        stack.append(x)
                x = node._a
                if x._a is None:
                    break
                if x in seen:
                    uses[x] = uses.get(x, 1) + 1
                    break
                seen.add(x)
                node = x
    except AttributeError:  # FREED has no links; finding out in this way costs a sweep nothing
        raise RuntimeError(
            f"backward through a graph that has been freed: the {node.op} node {node._in_words()} was swept "
            "before. Pass retain_graph=True to the first backward() if you need a second one."
        ) from None
    return uses


def deliver(x: Any, share: Any, ready: list[Any], waiting: dict[Any, int], adjoints: dict[Any, Any]) -> None:
    """Add one use's share to the adjoint of ``x``; when it was the last one, ``x`` is ready."""
    if x in waiting:
        if x in adjoints:
            share = adjoints[x] + share  # never in place: what was delivered first may be another node's adjoint too
        uses = waiting[x]
        if uses > 1:
            waiting[x] = uses - 1
            adjoints[x] = share
            return
        del adjoints[x], waiting[x]
    elif x._a is None:  # a leaf
        adjoints[x] = adjoints[x] + share if x in adjoints else share
        return
    ready.append(x)
    ready.append(share)


def first_adjoint(root: Any, gradient: Any, create_graph: bool) -> Any:
    """The adjoint a sweep begins with; RuntimeError if none can come of it."""
    if root._rule is None:
        raise RuntimeError(
            f"backward from {root._named()}, which does not require grad: nothing it was computed from does, or it was "
            "computed under no_grad() or detached, or by a sweep without create_graph=True. Make the inputs with "
            "requires_grad=True."
        )
    return root._first_adjoint(gradient, create_graph)


def topological_order(*roots: Any) -> list[Any]:
    """The roots and every node they were computed from, operands before users. Iterative, linear in the graph."""
    order: list[Any] = []
    seen: set[Any] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if node is None:  # everything the node below was computed from is in order
            order.append(stack.pop())
        elif node not in seen:
            seen.add(node)
            stack += node, None
            stack += reversed(nodes_in(node.operands))
    return order


def adjoints(root: Any) -> list[tuple[Any, Any]]:
    """Every node that requires grad, with its adjoint, in topological order. Nothing is changed, and no hook runs.

    The sweep once more, as a textbook writes it: over the reversed order, summing in one dict.
    """
    order = [node for node in topological_order(root) if node.requires_grad]
    found = {root: first_adjoint(root, None, False)}
    for node in reversed(order):
        for x, share in node._rule.shares(found[node], node):
            found[x] = found[x] + share if x in found else share
    return [(node, found[node]) for node in order]


def nodes_in(operands: Iterable[Any]) -> list[Any]:
    """The operands that are nodes; the others are numbers."""
    return [x for x in operands if hasattr(x, "_rule")]
