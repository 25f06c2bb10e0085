"""Plants faults in a copy of the package, one at a time, and says which test finds each.

    python -m tests.mutants                    # all, a few minutes; NAME ... for some
    python -m tests.mutants --tree OTHER       # with the code and the tests of another checkout

A fault is one line of code that is wrong. The tests that are run are those that are there to find it: first without any
fault, when they have to pass, then with each until one fails. A fault whose line is not in the code any more is an
error: find it another place. Not part of the suite; run it when tests have been made fewer or quicker.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("autodiff_lab", "course", "solutions", "tests", "pyproject.toml", "README.md", "CONTRIBUTING.md")


LONGEST_S = 600  # of the tests of one fault, which take some seconds


@dataclass(frozen=True)
class Mutant:
    """A fault: in ``file`` (below autodiff_lab) ``old``, which stands there once, becomes ``new``.

    ``tests``: files and pytest's options for them, below tests.
    """

    name: str
    file: str
    old: str
    new: str
    tests: str


STATIC, GRADING = "engine/static", "grading"

MUTANTS = [
    # the engine: rules
    Mutant("sigmoid", "engine/ops.py", '"g * (1 - y) * y"', '"g * (1 - y)"', "engine/test_table.py"),
    Mutant("division", "engine/ops.py", '"-g * (y / b)"', '"-g * (y * b)"', "engine/test_table.py"),
    Mutant(
        "softmax by itself",
        "engine/structured.py",
        '"y * (g - sum(g * y, dim, True))"',
        '"y * (g - sum(g, dim, True))"',
        "peers/test_torch_tensors.py -k softmax",
    ),
    # its sweep
    Mutant(
        "the last share wins",
        "engine/backward.py",
        "            share = adjoints[x] + share  #",
        "            share = share + 0 * adjoints[x]  #",
        "engine/test_backward.py",
    ),
    Mutant(
        "a graph of derivatives is freed",
        "engine/backward.py",
        "retain = create_graph if retain_graph is None else retain_graph",
        "retain = bool(retain_graph)",
        "engine/test_backward.py",
    ),
    Mutant(
        "shapes are not summed back",
        "engine/array_rules.py",
        """            lines.append(f"    d{x} = unbroadcast(d{x}, {'shape' if data else 'tuple(shape)'})")""",
        '            lines.append(f"    d{x} = d{x}")',
        "engine/test_tensor.py",
    ),
    # checkpoints
    Mutant(
        "random numbers anew",
        "engine/checkpoint.py",
        "        set_random_states(self.random)\n",
        "",
        "engine/test_checkpoint.py",
    ),
    Mutant(
        "anything may come of recomputing",
        "engine/checkpoint.py",
        "            if kind_of(value) != self.kinds[count]:",
        "            if False:",
        "engine/test_checkpoint.py",
    ),
    # programs
    Mutant(
        "a - b is b - a",
        f"{STATIC}/passes.py",
        "        if step.op.name in COMMUTATIVE:",
        "        if len(operands) == 2:",
        f"{STATIC}/test_passes.py {STATIC}/test_soundness.py",
    ),
    Mutant(
        "adding one changes nothing",
        f"{STATIC}/passes.py",
        '(name in ("add", "sub") and is_number(b, 0))',
        '(name in ("add", "sub") and is_number(b, 1))',
        f"{STATIC}/test_passes.py {STATIC}/test_soundness.py",
    ),
    Mutant(
        "no guard on the dtype",
        f"{STATIC}/compiled.py",
        '        text = f"{name}.shape == {shape} and {name}.dtype == {dtype}"',
        '        text = f"{name}.shape == {shape}"',
        f"{STATIC}/test_compile.py {STATIC}/test_codegen.py",
    ),
    Mutant(
        "memory that is still read",
        f"{STATIC}/memory_plan.py",
        "if end < block.first]",
        "if end <= block.first + 1]",
        f"{STATIC}/test_memory_plan.py -k in_use",
    ),
    # checks
    Mutant(
        "a budget that is used up is any error",
        "checks/failed.py",
        "    if failure.is_a(TooManyCalls):",
        "    if failure.is_a(ZeroDivisionError):",
        "checks/test_check.py -k budget",
    ),
    Mutant(
        "nobody is named",
        "checks/failed.py",
        "{misconception.name} [{misconception.code}]",
        "{misconception.name}",
        "checks/test_check.py",
    ),
    Mutant(
        "an untouched exercise is an error of the student's",
        "checks/failed.py",
        "return NotStarted, (",
        "return AnswerRaised, (",
        "checks/test_check.py",
    ),
    Mutant(
        "a tuple arrives as a list",
        "checks/wire.py",
        "        return tuple(_unpack(item, inner) for item in _a_list(body))",
        "        return [_unpack(item, inner) for item in _a_list(body)]",
        f"{GRADING}/test_wire.py",
    ),
    Mutant(
        "keys may collide",
        "checks/wire.py",
        '        raise WireError("keys made to collide")',
        "        pass",
        f"{GRADING}/test_wire.py",
    ),
    Mutant(
        "any catalogue code",
        "units/__init__.py",
        """r"\\[([a-z0-9-]+)\\]", text)""",
        """r"\\[([a-z0-9]+)\\]", text)""",
        f"{GRADING}/test_split.py -k named_as_it_is",
    ),
    # grading
    Mutant(
        "a day begun is free",
        "grading/late.py",
        "math.ceil(late / DAY)",
        "int(late / DAY)",
        f"{GRADING}/test_pool.py -k penalt",
    ),
    Mutant(
        "no grade is an empty cell",
        "grading/export.py",
        '    nothing = "-"',
        '    nothing = ""',
        f"{GRADING}/test_export.py",
    ),
    Mutant(
        "a formula in a cell",
        "grading/export.py",
        'text.startswith(("\\t", "\\r", "\\n"))',
        "False",
        f"{GRADING}/test_export.py",
    ),
    Mutant(
        "full points are some points",
        "grading/report.py",
        "elif exercise.points >= exercise.max_points:",
        "elif exercise.points > exercise.max_points:",
        f"{GRADING}/test_report.py -k counts_only",
    ),
    Mutant(
        "the other interface of system calls",
        "grading/seccomp.py",
        "    refuse_if(_AT_LEAST, _X32, errno.ENOSYS)\n",
        "",
        f"{GRADING}/test_sandbox.py -k the_filter_refuses",
    ),
    Mutant(
        "hidden tests are given out",
        "grading/build.py",
        'marks.sub("", HIDDEN.sub("", cell.source))',
        'marks.sub("", cell.source)',
        f"{GRADING}/test_build.py -k solution_notebook_is_solved",
    ),
    Mutant(
        "the student is shown what a hidden test printed",
        "grading/feedback.py",
        'set(notes.get("hidden_outputs", []))',
        "set()",
        f"{GRADING}/test_feedback.py",
    ),
    Mutant(
        "a warning costs points",
        "grading/execute.py",
        'if output.output_type == "stream" and output.name == "stderr":',
        'if output.output_type == "stream" and output.name == "stderr" and not output.text:',
        f"{GRADING}/test_bank.py -k promise",
    ),
    Mutant(
        "an answer to another question",
        "grading/split.py",
        "                if found != number:",
        "                if False:",
        f"{GRADING}/test_split.py -k malformed_line",
    ),
    Mutant(
        "an endless line",
        "grading/split.py",
        "            if most is not None and looked > most:",
        "            if False:",
        f"{GRADING}/test_split.py -k endless_line",
    ),
    Mutant(
        "other names, another answer",
        "grading/alike.py",
        'f"n{len(self.names)}"',
        "name",
        f"{GRADING}/test_alike.py",
    ),
    Mutant(
        "what is written where is not told",
        "grading/notices.py",
        '        return f"write to {name}"',
        '        return ""',
        f"{GRADING}/test_notices.py -k told_in_words",
    ),
]


def main(arguments: list[str] | None = None) -> int:
    """Plant the faults; print a table. Returns the number of faults that no test has found."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these faults")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout whose code and tests are taken")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - {mutant.name for mutant in MUTANTS}:
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in MUTANTS if not options.names or mutant.name in options.names]
    misplaced = [mutant.name for mutant in chosen if source(options.tree, mutant).count(mutant.old) != 1]
    if misplaced:
        parser.error(f"the line to change is not there, or is there more than once, of: {', '.join(misplaced)}")
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_mutants_") as folder:
        copy(options.tree, Path(folder))
        sound: dict[str, str] = {}
        missed = 0
        for mutant in chosen:
            if mutant.tests not in sound:
                sound[mutant.tests] = run(Path(folder), mutant.tests)
            if sound[mutant.tests]:
                missed += 1
                print(f"{mutant.name:52} NOT TRIED: {sound[mutant.tests]} fails without any fault", flush=True)
                continue
            began = time.monotonic()
            file, original = Path(folder, "autodiff_lab", mutant.file), source(options.tree, mutant)
            file.write_text(original.replace(mutant.old, mutant.new), encoding="utf-8")
            found = run(Path(folder), mutant.tests)
            file.write_text(original, encoding="utf-8")
            missed += not found
            seconds = time.monotonic() - began
            print(f"{mutant.name:52} {'found by ' + found if found else 'MISSED'}  ({seconds:.0f} s)", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return missed


def source(tree: Path, mutant: Mutant) -> str:
    return Path(tree, "autodiff_lab", mutant.file).read_text(encoding="utf-8")


def copy(tree: Path, folder: Path) -> None:
    for name in COPIED:
        if (tree / name).is_dir():
            shutil.copytree(tree / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy(tree / name, folder / name)


def run(folder: Path, tests: str) -> str:
    """The first of the tests that fails; "" if all pass. No bytecode is written: it would outlive a quick change."""
    first, *rest = tests.split()
    words = [f"tests/{first}", *(f"tests/{word}" if word.endswith(".py") else word for word in rest)]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "-p", "no:cacheprovider", "--tb=line", *words]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        return "a test that does not end"
    if done.returncode == 0:
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    return found.group(1) if found else f"nothing that runs: {(done.stdout + done.stderr)[-300:]}"


if __name__ == "__main__":
    sys.exit(main())
