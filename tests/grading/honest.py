"""Answers of people who mean well: right in their own way, or wrong in a way that ends or floods a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

RIGHT = "\n    return y, x + 2 * y"


@dataclass(frozen=True)
class Answer:
    """Answer cells by exercise (the others are right), and what comes of them: exercise -> note of what has no points.

    `status` is the submission's. `says` must stand in an output of the notebook.
    """

    cells: dict[str, str]
    lost: dict[str, str] = field(default_factory=dict)
    status: str = "graded"
    says: str = ""


def gradients(source: str, note: str = "", status: str = "graded", says: str = "") -> Answer:
    return Answer({"gradients": source}, {"gradients": note} if note else {}, status, says)


LOOP = "def gradients(x, y):\n    while True:\n        pass"
SWALLOWS = """
def gradients(x, y):
    while True:
        try:
            while True:
                pass
        except KeyboardInterrupt:
            pass
"""
THREAD = """
import threading, time

def talk():
    while True:
        print("still here")
        time.sleep(0.05)

threading.Thread(target=talk, daemon=True).start()

def gradients(x, y):
    return y, x + 2 * y
"""
PLOTS = """
import matplotlib.pyplot as plt

def gradients(x, y):
    for _ in range(3):
        plt.plot([x, y])
        plt.show()
    return y, x + 2 * y
"""
WIDGETS = """
import ipywidgets
from IPython.display import display

slider = ipywidgets.FloatSlider()
display(slider)

def gradients(x, y):
    display(ipywidgets.IntProgress())
    return y, x + 2 * y
"""
ITERATIVE_ORDER = """
def order(operands):
    waiting, done = dict(operands), []
    while waiting:
        ready = [name for name, needs in waiting.items() if all(need in done for need in needs)]
        done += reversed(ready)
        for name in ready:
            del waiting[name]
    return tuple(done)
"""
RECURSIVE_SWEEP = """
def sweep(tape, inputs):
    import numpy as np
    given = iter(inputs)
    values = []
    for kind, *p in tape:
        of = [values[q] for q in p]
        values.append(next(given) if kind == "input" else of[0] + of[1] if kind == "add" else of[0] * of[1]
                      if kind == "mul" else max(of[0], 0))
    def adjoint(at):
        total = 1 if at == len(tape) - 1 else 0
        for user, (kind, *p) in enumerate(tape):
            for side, operand in enumerate(p):
                if operand == at:
                    slope = 1 if kind == "add" else values[p[1 - side]] if kind == "mul" else int(values[at] >= 0)
                    total += adjoint(user) * slope
        return total
    return tuple(adjoint(at) for at in range(len(tape)))
"""
HALF_AT_THE_KINK = RECURSIVE_SWEEP.replace(
    "int(values[at] >= 0)", "(0 if values[at] < 0 else 1 if values[at] else 0.5)"
)

ANSWERS: dict[str, Answer] = {
    "right": Answer({}),
    "warns": gradients(f"import sys\n\ndef gradients(x, y):\n    print('careful', file=sys.stderr){RIGHT}"),
    "numpy warns": gradients(
        f"import numpy as np\n\ndef gradients(x, y):\n    np.array([1.0]) / np.array([0.0]){RIGHT}"
    ),
    "loops": gradients(LOOP, "timeout", "timeout"),
    "loops at once": gradients("while True:\n    pass", "timeout", "timeout"),
    "loops and swallows interrupts": gradients(SWALLOWS, "timeout", "timeout"),
    "exits": gradients("import os\n\ndef gradients(x, y):\n    os._exit(1)", "crashed", "crashed"),
    "exits at once": gradients("import os\nos._exit(0)", "crashed", "crashed"),
    "exits in the last exercise": Answer({"order": "import os\nos._exit(0)"}, {"order": "crashed"}, "crashed"),
    "segmentation fault": gradients(
        "import ctypes\n\ndef gradients(x, y):\n    ctypes.string_at(0)", "crashed", "crashed"
    ),
    "killed for memory": gradients(
        "import os, time\n\ndef gradients(x, y):\n    for _ in range(4):\n        if os.fork() == 0:\n"
        "            held = bytearray(b'x') * 300_000_000\n            time.sleep(20)\n    time.sleep(20)",
        "out of memory",
        "out of memory",
    ),
    "prints 100 MB in lines": gradients(
        f"def gradients(x, y):\n    for _ in range(200): print(('x' * 99 + '\\n') * 1_000){RIGHT}", says="was cut"
    ),
    "prints 100 MB in one": gradients(f"def gradients(x, y):\n    print('x' * 20_000_000){RIGHT}", says="was cut"),
    "a long error": gradients(
        "def gradients(x, y):\n    raise ValueError('x' * 5_000_000)", "the answer raises an error"
    ),
    "asks for input": gradients("def gradients(x, y):\n    return input()", "the answer raises an error"),
    "asks for input at once": gradients(
        f"name = input('Your name? ')\ndef gradients(x, y):{RIGHT}", "the answer raises an error"
    ),
    "quits": gradients(f"def gradients(x, y):{RIGHT}\nexit()"),
    "a thread that prints": gradients(THREAD),
    "plots": gradients(PLOTS),
    "widgets left open": gradients(WIDGETS),
    "a list of NumPy numbers": gradients(
        "import numpy as np\n\ndef gradients(x, y):\n    return [np.float64(y), np.add(x, 2 * y)]"
    ),
    "an array": gradients("import numpy as np\n\ndef gradients(x, y):\n    return np.array([y, x + 2 * y])"),
    "whole numbers": gradients(
        "def gradients(x, y):\n    g = y, x + 2 * y\n    return [int(v) if v == int(v) else v for v in g]"
    ),
    "another order": Answer({"order": ITERATIVE_ORDER}),
    "recursion": Answer({"sweep": RECURSIVE_SWEEP}),
    "one half at the kink": Answer({"sweep": HALF_AT_THE_KINK}),
    "an import of torch that is not used": gradients(
        f"import torch\nimport autodiff_lab\n\ndef gradients(x, y):{RIGHT}"
    ),
    "a shell and magics": gradients(f"%matplotlib widget\n!echo hello\ndef gradients(x, y):{RIGHT}"),
    "top-level await": gradients(f"import asyncio\nawait asyncio.sleep(0)\ndef gradients(x, y):{RIGHT}"),
    "logs and a progress bar": gradients(
        f"import logging\nlogging.warning('hm')\ndef gradients(x, y):\n    print('\\r50 %', end='\\r'){RIGHT}"
    ),
}
