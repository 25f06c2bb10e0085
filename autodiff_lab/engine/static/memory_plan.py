"""Where results are written: memory that is laid out once, and used again as soon as nothing reads it any more."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autodiff_lab.engine.static.steps import Step, Value

ALIGNMENT = 64  # bytes: a cache line, and the widest registers


class Block:
    """Memory for values of one size, each written over the one before.

    first, last  the numbers of the steps that write to it first and read it last
    kept         whether the caller gets it, so that each call makes a new one
    offset       where it begins in the workspace
    """

    __slots__ = ("first", "kept", "last", "offset", "size", "values")

    def __init__(self, first: int, size: int) -> None:
        self.first = self.last = first
        self.size = size
        self.values: list[Value] = []
        self.kept = False
        self.offset = 0


class Plan:
    """A place for the result of each step; prints as bytes before and after.

    blocks       all memory that is written to
    place        value -> block
    last         value -> the number of the step that reads it last; of an output the number of steps
    needed       bytes if each result had memory of its own
    workspace    bytes of the memory that is used again by each call
    kept         bytes of new memory for the outputs of each call
    """

    def __init__(self, steps: list[Step], outputs: list[Value]) -> None:
        self.place: dict[Value, Block] = {}
        self.blocks: list[Block] = []
        self.last = last_uses(steps, outputs)
        for number, step in enumerate(steps):
            if step.out.place == "buffer":
                block = self.written_over(number, step)
                if block is None:
                    block = Block(number, step.out.example.nbytes)
                    self.blocks.append(block)
                block.values.append(step.out)
                block.last = max(block.last, self.last[step.out])
                block.kept = block.kept or self.last[step.out] == len(steps)
                self.place[step.out] = block
        self.needed = sum(x.example.nbytes for x in self.place)
        self.kept = sum(block.size for block in self.blocks if block.kept)
        self.workspace = self.lay_out()

    def written_over(self, number: int, step: Step) -> Block | None:
        """The memory of an input that the result may be written over, because nothing reads it afterwards."""
        candidates = {"same": step.inputs, "first": step.inputs[:1]}.get(step.in_place, [])
        for x in candidates:
            whole = shown_whole(x)
            if whole is not None and self.last[whole] == number and whole.example.nbytes == step.out.example.nbytes:
                others = [y for y in step.inputs if shown_whole(y) is not whole]
                if whole.shape == step.out.shape and not any(whole in memory_of(y) for y in others):
                    return self.place[whole]
        return None

    def lay_out(self) -> int:
        """Give each block that is no output a place in the workspace, the smallest free one that fits; return the size.

        If none fits, the greatest free place grows.
        """
        sizes: list[int] = []
        ends: list[int] = []
        chosen: dict[Block, int] = {}
        for block in self.blocks:
            if block.kept:
                continue
            free = [i for i, end in enumerate(ends) if end < block.first]
            fitting = [i for i in free if sizes[i] >= block.size]
            if fitting:
                at = min(fitting, key=lambda i: (sizes[i], -ends[i]))
            elif free:
                at = max(free, key=sizes.__getitem__)
            else:
                at = len(sizes)
                sizes.append(0)
                ends.append(0)
            sizes[at] = max(sizes[at], -(-block.size // ALIGNMENT) * ALIGNMENT)
            ends[at] = block.last
            chosen[block] = at
        for block, at in chosen.items():
            block.offset = sum(sizes[:at])
        return sum(sizes)

    def __str__(self) -> str:
        return (
            f"{len(self.place)} results, {self.needed:,} bytes if each has memory of its own; planned: "
            f"{self.workspace:,} bytes that every call uses again, and {self.kept:,} bytes of outputs"
        )


def reached(x: Value) -> set[Value]:
    """A value, and all others whose memory it may show."""
    found: set[Value] = set()
    stack = [x]
    while stack:
        x = stack.pop()
        if x not in found:
            found.add(x)
            stack += x.shares if x.base is None else (x.base,)
    return found


def memory_of(x: Value) -> set[Value]:
    """The values with planned memory that one shows."""
    return {y for y in reached(x) if y.place == "buffer"}


def shown_whole(x: Value) -> Value | None:
    """The value with planned memory of which ``x`` is every element in the same order; None if there is none."""
    while x.base is not None and x.template.startswith("{0}.view("):
        x = x.base
    return x if x.place == "buffer" else None


def last_uses(steps: list[Step], outputs: list[Value]) -> dict[Value, int]:
    """The number of the last step that reads each value; of outputs the number of steps."""
    last: dict[Value, int] = {}
    for number, step in enumerate(steps):
        last[step.out] = number
        for x in step.inputs:
            last.update(dict.fromkeys(reached(x), number))
    for x in outputs:
        last.update(dict.fromkeys(reached(x), len(steps)))
    return last
