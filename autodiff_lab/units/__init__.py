"""What the tests of each unit know: misconceptions, right answers by definition, and the rules wrong answers follow.

One module per unit, for its test cells. No student's kernel has this package while it is graded: `grading/masks.py`
hides it as a whole, so whatever knows a right answer lives here and nowhere else.
"""

import functools
import importlib
import pkgutil
import re

from autodiff_lab.checks import misconceptions
from autodiff_lab.checks.misconceptions import Misconception


@functools.cache
def catalogue() -> dict[str, Misconception]:
    """Every misconception that a message can name, by its code: those of any unit, and those of each unit's module."""
    modules = [importlib.import_module(f"{__name__}.{unit.name}") for unit in pkgutil.iter_modules(__path__)]
    found = [entry for module in (misconceptions, *modules) for entry in vars(module).values()]
    return {entry.code: entry for entry in found if isinstance(entry, Misconception)}


def in_message(text: str) -> Misconception | None:
    """The misconception that a check's message names, or None."""
    return next((catalogue()[code] for code in re.findall(r"\[([a-z0-9-]+)\]", text) if code in catalogue()), None)
