"""A misconception: a wrong idea that a real learner holds, with the words that set it right.

Those of a unit stand in its module of ``autodiff_lab.units``, here the two that any answer may show.
"""

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


NOTHING_RETURNED = Misconception(
    "nothing-returned",
    "the function returns nothing",
    "A function that ends without reaching a `return` gives None, even when it prints the right value, and so does a "
    "`return` before `print(…)` or `.append(…)`. Return the value itself.",
    "00_welcome",
    "Return, do not print",
)
ANSWER_IS_AN_OBJECT = Misconception(
    "answer-is-an-object",
    "an object comes back where plain data is asked for",
    "A test compares plain data: numbers, texts, lists, dicts. A node carries its number in an attribute such as "
    "`.data`, and its adjoint in `.grad`. `list(…)` makes a list of a generator, a `map` or a `range`. A function has "
    "to be called.",
    "00_welcome",
    "Return, do not print",
)
