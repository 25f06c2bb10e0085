"""The catalogue of misconceptions: one entry each, named by every check that recognises one.

Not a list of errors: an entry is a wrong idea that a real learner holds, with the words that set it right.
``section`` is a heading of the unit's text, so that "Read:" leads somewhere.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """``code`` is stable and machine-readable; ``name`` is one line; ``explanation`` a few sentences in second person;
    ``unit`` and ``section`` say where to read."""

    code: str
    name: str
    explanation: str
    unit: str
    section: str

    @property
    def read(self) -> str:
        return f"unit {self.unit[:2]}, section “{self.section}”"


def in_message(text: str) -> Misconception | None:
    """The misconception that a check's message names, or None."""
    return next((CATALOGUE[code] for code in re.findall(r"\[([a-z0-9-]+)\]", text) if code in CATALOGUE), None)


# --- any unit ---------------------------------------------------------------------------------------------------------

NOTHING_RETURNED = Misconception(
    "nothing-returned",
    "the function returns nothing",
    "A function without a `return` line gives None, even when it prints the right value. Return the value instead of "
    "printing it.",
    "00_welcome",
    "Return, do not print",
)
ANSWER_IS_AN_OBJECT = Misconception(
    "answer-is-an-object",
    "a node comes back where its number is asked for",
    "A test compares numbers, so your function has to return plain numbers. A node carries its number in an attribute "
    "such as `.data`; an adjoint is in `.grad`.",
    "00_welcome",
    "Return, do not print",
)

# --- 00_welcome -------------------------------------------------------------------------------------------------------

# --- 01_graphs --------------------------------------------------------------------------------------------------------

# --- 02_local_derivatives ---------------------------------------------------------------------------------------------

# --- 03_backward_sweep ------------------------------------------------------------------------------------------------

# --- 04_fan_out -------------------------------------------------------------------------------------------------------

FAN_OUT_DIRECT_PATH_ONLY = Misconception(
    "fan-out-direct-path-only",
    "only the direct path is counted",
    "A value that is used twice reaches the result on two paths. You counted the use that touches the result directly "
    "and left out the path through the other operation. The adjoint is the sum over all paths.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_OVERWRITTEN = Misconception(
    "fan-out-overwritten",
    "a later use overwrites the earlier adjoint",
    "Each use of a value sends back a contribution. Writing `node.grad = …` keeps the last one that arrives and "
    "forgets the others; contributions have to be added to what is there.",
    "04_fan_out",
    "Contributions add",
)

# --- the catalogue, by code -------------------------------------------------------------------------------------------

CATALOGUE: dict[str, Misconception] = {
    entry.code: entry for entry in list(globals().values()) if isinstance(entry, Misconception)
}
