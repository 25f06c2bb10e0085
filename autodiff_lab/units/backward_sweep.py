"""What test cells about sweeps have in common: right answers by definition, and the rules that wrong sweeps follow.

Not a place for questions: what is asked, with which inputs, stands in the unit. A rule takes the inputs of a question
and gives the answer it leads to, or a predicate that knows such answers, as ``check.each`` expects in ``instead``.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import autodiff_lab as ad
from autodiff_lab.checks import misconceptions as known

Rules = dict[known.Misconception, Any]
Record = tuple[list[float], list[int], list[float], list[bool]]


def near(left: Any, right: Any) -> bool:
    """Whether two numbers agree to nine digits. None agrees with None only."""
    if left is None or right is None:
        return left is right
    return isinstance(left, int | float) and math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)


def all_near(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return len(left) == len(right) and all(map(near, left, right))


def _close(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether numbers agree in their first digits: nudged and measured, or rounded."""
    return len(left) == len(right) and all(
        abs(a - b) <= 1e-3 * max(1.0, abs(b)) for a, b in zip(left, right, strict=True)
    )


# --- a chain, as a list of partials -----------------------------------------------------------------------------------


def chain_adjoints(partials: Sequence[float]) -> list[float]:
    """Adjoints of the values of a chain, input first, by definition: the product of everything after a value."""
    return [math.prod(partials[place:], start=1.0) for place in range(len(partials) + 1)]


def is_one_sweep(partials: Sequence[float], found: Sequence[float]) -> bool:
    """Whether adjoints of a chain were made from one another: each is the next one times its partial, to the last bit.

    Products that begin again for every value are rounded in another order, and four in five of them end in other
    bits. Exact products count as well: somebody may compute with fractions, or in higher precision.
    """
    exact, fitting = Fraction(1), 0
    for place in reversed(range(len(partials))):
        exact *= Fraction(partials[place])
        fitting += found[place] in (partials[place] * found[place + 1], float(exact))
    return fitting > 0.75 * len(partials)


def _scaled(right: Sequence[float]) -> Callable[[Any], bool]:
    """Knows answers that are right up to one common factor, the seed."""
    return lambda got: got[-1] not in (0, 1) and all_near(got, [got[-1] * item for item in right])


CHAIN: Rules = {
    known.SEED_MISSING: lambda p: lambda got: all_near(got, chain_adjoints(p)[:-1]) or not any(got),
    known.CHAIN_SLOPES_ADDED: lambda p: (
        lambda got: any(all_near(got[:-1], [start + sum(p[place:]) for place in range(len(p))]) for start in (0, 1))
    ),
    known.UPSTREAM_FORGOTTEN: lambda p: [*p, 1.0],
    known.LOCAL_DERIVATIVE_FORGOTTEN: lambda p: [1.0] * (len(p) + 1),
    known.ADJOINTS_IN_SWEEP_ORDER: lambda p: chain_adjoints(p)[::-1],
    known.LEAF_NOT_REACHED: lambda p: chain_adjoints(p)[1:],
    known.SWEEP_FROM_THE_WRONG_END: lambda p: (
        lambda got: all_near(sorted(got), sorted(math.prod(p[:place]) for place in range(len(p) + 1)))
    ),
    known.SEED_NOT_ONE: lambda p: _scaled(chain_adjoints(p)),
    known.ADJOINTS_ONLY_CLOSE: lambda p: lambda got: _close(got, chain_adjoints(p)),
}
"""For a function of ``partials`` that returns the adjoints of a chain."""


# --- loss = (x·w + b − t)² --------------------------------------------------------------------------------------------


def table(x: float, w: float, b: float, t: float) -> dict[str, float]:
    """The adjoint table, by the reference engine: the loss as a function of each value in turn."""
    found = ad.grad(lambda x, w, b, t: (x * w + b - t) ** 2, argnums=(0, 1, 2, 3))(x, w, b, t)
    between = {
        "loss": 1.0,
        "e": float(ad.grad(lambda e: e**2)(x * w + b - t)),
        "z": float(ad.grad(lambda z: (z - t) ** 2)(x * w + b)),
        "m": float(ad.grad(lambda m: (m + b - t) ** 2)(x * w)),
    }
    return between | {name: float(item) for name, item in zip("xwbt", found, strict=True)}


def _table_without_seed(*at: float) -> Callable[[Any], bool]:
    right = table(*at)
    rest = right.keys() - {"loss"}
    return lambda got: (
        not any(got.values())
        or (not got.get("loss") and rest <= got.keys() and all(near(got[name], right[name]) for name in rest))
    )


def _table_with_another_seed(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    right, loss = table(x, w, b, t), (x * w + b - t) ** 2
    return lambda got: (
        got["loss"] not in (0, 1)
        and (
            all(near(got[name], got["loss"] * right[name]) for name in right)
            or all(near(got[name], loss if name == "loss" else right[name]) for name in right)
        )
    )


def _table_of_bare_partials(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    """Each entry is right or a bare local derivative."""
    right, bare = table(x, w, b, t), {"z": 1, "m": 1, "b": 1, "t": 1, "x": abs(w), "w": abs(x)}
    return lambda got: all(
        near(got[name], right[name]) or (name in bare and near(abs(got[name]), bare[name])) for name in right
    )


def _table_handed_on(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    """Each entry is right, or the adjoint above it as it is."""
    right = table(x, w, b, t)
    above = {"e": "loss", "z": "e", "t": "e", "m": "z", "b": "z", "x": "m", "w": "m"}
    return lambda got: (
        got["loss"] == 1 and all(near(got[name], right[name]) or near(got[name], got[above[name]]) for name in above)
    )


def _table_of_values(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    values = {"m": x * w, "z": x * w + b}
    return lambda got: any(near(got[name], values[name]) for name in values)


TABLE: Rules = {
    known.SEED_MISSING: _table_without_seed,
    known.SUBTRACTION_SIGN_LOST: lambda *at: {**table(*at), "t": -table(*at)["t"]},
    known.PRODUCT_OWN_VALUE: lambda *at: {**table(*at), "x": table(*at)["w"], "w": table(*at)["x"]},
    known.SQUARE_FACTOR_LOST: lambda *at: {
        name: item if name == "loss" else item / 2 for name, item in table(*at).items()
    },
    known.SEED_NOT_ONE: _table_with_another_seed,
    known.UPSTREAM_FORGOTTEN: _table_of_bare_partials,
    known.VALUE_FOR_ADJOINT: _table_of_values,
    known.LOCAL_DERIVATIVE_FORGOTTEN: _table_handed_on,
    known.ADJOINTS_IN_BETWEEN_MISSING: lambda *at: (
        lambda got: not set(got) & {"m", "z", "e"} and all(near(got[name], table(*at)[name]) for name in "xwb")
    ),
    known.ADJOINTS_ONLY_CLOSE: lambda *at: (
        lambda got: _close([got[name] for name in table(*at)], list(table(*at).values()))
    ),
    known.EXAMPLE_WRITTEN_IN: lambda *at: table(2.0, 3.0, 1.0, 10.0),
}
"""For a function of (x, w, b, t) that returns the adjoint table."""


def is_point(point: Any) -> bool:
    """Whether ``point`` is a tuple of four ordinary numbers."""
    if not isinstance(point, list | tuple) or len(point) != 4:
        return False
    return all(isinstance(item, int | float) and math.isfinite(item) and abs(item) < 1e6 for item in point)


def caught(mutant: str, point: Any) -> bool:
    """Whether a test at ``point`` notices the mutant A, B, C or D: some adjoint of an input differs."""
    x, w, b, t = point
    e = x * w + b - t
    down = {"A": e**2 * 2 * e, "C": 1.0, "D": e**2}.get(mutant, 2 * e)
    left, right = (x, w) if mutant == "B" else (w, x)
    mutated = {"x": down * left, "w": down * right, "b": down, "t": -down}
    return any(not near(item, table(*point)[name]) for name, item in mutated.items())


def blind(mutant: str) -> Callable[[Any], bool | str]:
    """Judges a blind spot of ``mutant``, for ``accept=``."""

    def verdict(point: Any) -> bool | str:
        if not is_point(point):
            return "expected a tuple of four ordinary numbers (x, w, b, t)"
        x, w, b, t = point
        if x == 0 or w == 0 or x * w + b - t == 0:
            return "x, w or the loss is 0 here, and that was ruled out"
        return not caught(mutant, point) or "the mutant and the right table differ here"

    return verdict


def catches_all(point: Any) -> bool | str:
    """Judges a point that should catch every mutant, for ``accept=``."""
    if not is_point(point):
        return "expected a tuple of four ordinary numbers (x, w, b, t)"
    return all(caught(mutant, point) for mutant in "ABCD") or "at least one mutant is not caught here"


def blind_spot_rules(mutant: str) -> list[tuple[Callable[[Any], bool], known.Misconception]]:
    """For a blind spot of ``mutant`` that is none."""
    return [
        (lambda point: is_point(point) and caught(mutant, point), known.TEST_POINT_HIDES_NOTHING),
        (is_point, known.TEST_POINT_TOO_SPECIAL),
    ]


# --- a Value that records ---------------------------------------------------------------------------------------------

READ = """
# on purpose: which node is which decides identity, and no class; what comes back are numbers
def rate(node, leaf):
    if node is leaf:
        return 1.0
    pairs = zip(getattr(node, "partials", ()), getattr(node, "operands", ()))
    return sum(partial * rate(operand, leaf) for partial, operand in pairs)

def below(node):
    return [each for operand in getattr(node, "operands", ()) for each in (operand, *below(operand))]

def read(node, *leaves):
    if node is None or isinstance(node, (int, float)):
        return "nothing" if node is None else "a bare number"
    for each in (node, *below(node)):
        if isinstance(getattr(each, "data", 0), Value):
            return "a Value inside a Value"
        if any(isinstance(partial, Value) for partial in getattr(each, "partials", ())):
            return "a Value among the partials"
    return [node.data, *(rate(node, leaf) for leaf in leaves)]
"""
"""Lines that run beside the student's ``Value``. ``read(y, x)`` gives the value of y and how fast it moves with x, off
the record. Any record with the right rates is right, also one that writes a − b as a + (−1)·b."""

RATES: dict[str, Callable[[float, float], list[float]]] = {
    "+": lambda a, c: [a + c, 1.0, 1.0],
    "-": lambda a, c: [a - c, 1.0, -1.0],
    "*": lambda a, c: [a * c, c, a],
    "/": lambda a, c: [a / c, 1.0 / c, -a / c**2],
}
"""Value and both rates of a ∘ c."""


def two_values(sign: str) -> Rules:
    """For value and both rates of ``Value(a) ∘ Value(c)``."""
    right = RATES[sign]
    special: dict[str, Rules] = {
        "+": {},
        "-": {known.SUBTRACTION_SIGN_LOST: lambda a, c: [a - c, 1.0, 1.0]},
        "*": {known.PRODUCT_OWN_VALUE: lambda a, c: [a * c, a, c]},
        "/": {
            known.QUOTIENT_SIGN: lambda a, c: [a / c, 1.0 / c, a / c**2],
            known.QUOTIENT_DIVISOR: lambda a, c: (
                lambda got: all_near(got, [a / c, 1.0 / c, -a / c]) or all_near(got, [a / c, 1.0 / c, -1.0 / c**2])
            ),
        },
    }
    return {
        **NO_RECORD,
        known.RECORD_FORGETS_OPERANDS: lambda a, c: lambda got: got[0] == right(a, c)[0] and 0 in got[1:],
        **special[sign],
        known.PARTIALS_SWAPPED: lambda a, c: [right(a, c)[0], *right(a, c)[:0:-1]],
    }


NO_RECORD: Rules = {
    known.NOTHING_RETURNED: lambda *given: "nothing",
    known.RESULT_IS_A_BARE_NUMBER: lambda *given: "a bare number",
    known.NODE_IN_NODE: lambda *given: "a Value inside a Value",
    known.PARTIAL_IS_A_NODE: lambda *given: "a Value among the partials",
    known.NUMBER_LEFT_AS_IT_IS: AttributeError,
}
"""For whatever ``read`` finds that is no record of numbers."""


def number_left(sign: str) -> Rules:
    """For value and rate of ``c ∘ Value(a)``, with a plain number c."""
    right = RATES[sign]
    special: dict[str, Rules] = {
        "+": {},
        "-": {known.SUBTRACTION_SIGN_LOST: lambda a, c: [c - a, 1.0]},
        "*": {known.PRODUCT_OWN_VALUE: lambda a, c: [c * a, a]},
        "/": {known.QUOTIENT_SIGN: lambda a, c: [c / a, c / a**2]},
    }
    if sign in "-/":
        special[sign][known.REFLECTED_ORDER] = lambda a, c: lambda got: near(got[0], right(a, c)[0])
    return {
        known.REFLECTED_RECURSES: RecursionError,
        known.REFLECTED_MISSING: TypeError,
        **NO_RECORD,
        known.RECORD_FORGETS_OPERANDS: lambda a, c: [right(c, a)[0], 0.0],
        **special[sign],
    }


# --- a sweep over nodes -----------------------------------------------------------------------------------------------

BUILD_CHAIN = """
nodes = [Node(values[0])]
for value, partial in zip(values[1:], partials):
    nodes.append(Node(value, (nodes[-1],), (partial,)))
"""
"""Lines that make a chain of the student's ``Node`` out of ``values`` and ``partials``, leaf first."""


class SeedIsNone(TypeError):
    """A sweep multiplies None, and the root has no adjoint."""


class AddedToNone(TypeError):
    """A sweep adds to None."""


def attempt(sweep: str, root: str) -> str:
    """Lines that call the student's ``sweep`` and return every grad. A TypeError about None is told apart by a base
    class of its own; the student sees the error as Python gave it."""
    return f"""
try:
    {sweep}({root})
except TypeError as error:
    base = "AddedToNone" if "for +" in str(error) else "SeedIsNone" if {root}.grad is None else ""
    if not base or "NoneType" not in str(error):
        raise
    kind = type("TypeError", (type(base, (TypeError,), {{}}),), {{}})
    raise kind(str(error)).with_traceback(error.__traceback__) from None
return [node.grad for node in nodes]
"""


def twice(sweep: str, root: str) -> str:
    """Lines that call the student's ``sweep`` two times, and return every grad after each of them."""
    return f"""
found = []
for time in range(2):
    for node in nodes:
        node.grad = None
    {sweep}({root})
    found.append([node.grad for node in nodes])
return found
"""


def _value_times_partial(values: Sequence[float], partials: Sequence[float]) -> Callable[[Any], bool]:
    above = [value * partial for value, partial in zip(values[1:], partials, strict=True)]
    below = [value * partial for value, partial in zip(values[:-1], partials, strict=True)]
    return lambda got: all_near(got[:-1], above) or all_near(got[:-1], below)


NOTHING_TO_READ: Rules = {
    known.ADDED_TO_NONE: AddedToNone,
    known.PARTIAL_OF_THE_WRONG_STEP: IndexError,
    known.ADJOINTS_NOT_WRITTEN: lambda *given: lambda got: set(got) == {None},
}
"""For a sweep that stops with an error, or writes nothing."""

CHAIN_OF_NODES: Rules = {
    **NOTHING_TO_READ,
    known.SEED_MISSING: (
        SeedIsNone,
        lambda v, p: lambda got: not any(got) or (got[-1] is None and None not in got[:-1]),
    ),
    known.UPSTREAM_FORGOTTEN: lambda v, p: [*p, 1.0],
    known.VALUE_FOR_ADJOINT: _value_times_partial,
    known.LEAF_NOT_REACHED: lambda v, p: lambda got: got[0] is None and all_near(got[1:], chain_adjoints(p)[1:]),
    known.ADJOINTS_IN_BETWEEN_MISSING: lambda v, p: lambda got: near(got[0], chain_adjoints(p)[0]) and None in got,
    known.LOCAL_DERIVATIVE_FORGOTTEN: lambda v, p: [1.0] * (len(p) + 1),
    known.CHAIN_SLOPES_ADDED: lambda v, p: [1.0 + sum(p[place:]) for place in range(len(p) + 1)],
    known.SEED_NOT_ONE: lambda v, p: lambda got: None not in got and _scaled(chain_adjoints(p))(got),
}
"""For the adjoints that a sweep leaves in a chain of (values, partials), leaf first."""

# A record as data: for each node its value, its parent (the node that uses it), the partial on the way up to the
# parent, and whether it needs a gradient. Node 0 is the root; a parent comes before its operands.

BUILD_RECORD = """
nodes = [Node(value, requires_grad=needed) for value, needed in zip(values, needs)]
below = [[] for node in nodes]
for child in range(1, len(nodes)):
    below[parents[child]].append(child)
for node, children in zip(nodes, below):
    node.operands = tuple(nodes[child] for child in children)
    node.partials = tuple(partials[child] for child in children)
"""
"""Lines that make a record of the student's ``Node``, root first."""

BUILD_ENDLESS_RECORD = """
class Part(Node):
    @property
    def operands(self):
        return self.kept if self.requires_grad else (Part(1.0, requires_grad=False),)
    @operands.setter
    def operands(self, operands):
        self.kept = operands
    @property
    def partials(self):
        return self.weights if self.requires_grad else (1.0,)
    @partials.setter
    def partials(self, partials):
        self.weights = partials
""" + BUILD_RECORD.replace("Node(", "Part(")
"""The same, where every node that needs no gradient is computed from another such node, and that one too, without end:
a sweep that enters one never comes back, and nothing has to count."""


def _below(parents: Sequence[int], place: int) -> list[int]:
    return [child for child in range(1, len(parents)) if parents[child] == place]


def record(draw: Random, parents: Sequence[int], constants: Iterable[int] = ()) -> Record:
    """A record of this shape with random numbers. ``constants`` are leaves that need no gradient."""
    size, fixed = len(parents), set(constants)
    needs = [place not in fixed for place in range(size)]
    for place in reversed(range(size)):
        if _below(parents, place):
            needs[place] = any(needs[child] for child in _below(parents, place))
    # Short numbers, easy to follow by hand: all different, no partial is 0, 1 or -1.
    values = draw.sample([2 + quarter / 4 for quarter in range(1, 40)], size)
    partials = draw.sample([quarter / 4 for quarter in range(-16, 17) if quarter not in (0, 4, -4)], size)
    return values, list(parents), partials, needs


def deep_record(draw: Random, depth: int) -> Record:
    """A record in which every second node goes on and the others are leaves, some of them constants."""
    parents, spine = [0], 0
    while len(parents) < 2 * depth:
        children = len(parents), len(parents) + 1
        parents += [spine, spine]
        spine = draw.choice(children)
    leaves = {*range(len(parents))} - {*parents[1:]}
    values = [draw.uniform(1, 9) for _ in parents]
    partials = [draw.choice((-1, 1)) * draw.uniform(0.9, 1.1) for _ in parents]
    return (
        values,
        parents,
        partials,
        [place not in leaves or place == spine or draw.random() < 0.5 for place in range(len(parents))],
    )


def record_adjoints(
    values: list[float], parents: list[int], partials: list[float], needs: list[bool]
) -> list[float | None]:
    """The right adjoints, root first: the product of the partials on the way down; None where none is needed."""
    products = [1.0]
    for parent, partial in zip(parents[1:], partials[1:], strict=True):
        products.append(products[parent] * partial)
    return [product if needed else None for product, needed in zip(products, needs, strict=True)]


def _each(rule: Callable[..., float]) -> Callable[..., list[float | None]]:
    """A rule for whole records out of a rule for one node below the root."""
    return lambda values, parents, partials, needs: [
        1.0 if not place else rule(values, parents, partials, place) if needs[place] else None
        for place in range(len(values))
    ]


def _some_missing(*given: Any) -> Callable[[Any], bool]:
    """What is there is right, and some adjoints are not there."""
    right = record_adjoints(*given)
    return lambda got: got[0] == 1 and all(a is None or near(a, b) for a, b in zip(got, right, strict=True))


def _another_seed(*given: Any) -> Callable[[Any], bool]:
    right = record_adjoints(*given)
    return lambda got: (
        got[0] not in (None, 1) and all_near(got, [None if item is None else got[0] * item for item in right])
    )


def _constants_too(values: Any, parents: Any, partials: Any, needs: list[bool]) -> Callable[[Any], bool]:
    right = record_adjoints(values, parents, partials, [True] * len(needs))
    return lambda got: all(
        near(a, b) or (a in (None, 0) and not needed) for a, b, needed in zip(got, right, needs, strict=True)
    )


def _pairs_shifted(
    values: list[float], parents: list[int], partials: list[float], needs: list[bool]
) -> list[float | None]:
    """Operands that need a gradient, paired with the partials of all operands from the first on."""
    own = dict.fromkeys(range(len(values)), 1.0)
    for place in range(len(values)):
        below = _below(parents, place)
        own |= zip([child for child in below if needs[child]], [partials[child] for child in below], strict=False)
    return record_adjoints(values, parents, [own[place] for place in range(len(values))], needs)


def _ends_only(values: Any, parents: Any, *rest: Any) -> Callable[[Any], bool]:
    right = record_adjoints(values, parents, *rest)
    leaves = set(range(len(values))) - set(parents)
    return lambda got: (
        None in got
        and all(near(got[place], right[place]) for place in leaves)
        and all(a is None or near(a, b) for a, b in zip(got, right, strict=True))
    )


NODES: Rules = {
    **NOTHING_TO_READ,
    known.SEED_MISSING: (
        SeedIsNone,
        lambda *given: lambda got: not any(got) or (got[0] is None and None not in got[1:]),
    ),
    known.ADJOINTS_IN_BETWEEN_MISSING: _ends_only,
    known.LOCAL_DERIVATIVE_FORGOTTEN: _each(lambda values, parents, partials, place: 1.0),
    known.UPSTREAM_FORGOTTEN: _each(lambda values, parents, partials, place: partials[place]),
    known.VALUE_FOR_ADJOINT: lambda *given: (
        lambda got: any(
            all_near(got, _each(rule)(*given))
            for rule in (
                lambda values, parents, partials, place: values[parents[place]] * partials[place],
                lambda values, parents, partials, place: values[place] * partials[place],
            )
        )
    ),
    known.SEED_NOT_ONE: _another_seed,
    known.ONE_OPERAND_ONLY: _some_missing,
}
"""For the adjoints that a sweep leaves in a record without constants, root first."""

NODES_AND_CONSTANTS: Rules = {
    known.CONSTANT_GETS_GRADIENT: _constants_too,
    known.ADJOINTS_IN_BETWEEN_MISSING: _ends_only,
    known.PARTIALS_MISALIGNED: _pairs_shifted,
    known.CONSTANT_STOPS_SWEEP: _some_missing,
}
"""For the same, in a record where some leaves are constants."""
