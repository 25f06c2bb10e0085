"""A large class with every odd submission at once is graded, gets feedback and a report: what that costs, and holds.

    python -m tests.grading.class_of_300                                # 300 students
    python -m tests.grading.class_of_300 --students 60 --workers 2

The rows of `submissions`, `honest` and `hostile` are repeated under other ids until the class is full; among them are
some that are large, odd to open or slow to show. For each command it prints the seconds, and the most memory of its
main process, of the largest of the others and of all of them together (shared pages count in each).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psutil

from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.course import PACKAGE_PARENT

from . import submissions
from .honest import ANSWERS
from .hostile import ATTACKS
from .submissions import Row, Work
from .test_class import POINTS, TINY, UNIT, fill, make_class, outside, student_of

STRAY = "Error: Not graded: submitted/link/elsewhere.ipynb is a notebook outside of a unit's folder."
HIDDEN = b"check(student.gradients(-1.25, 7.5), expect=(7.5, 13.75))"


def a_stamp_that_is_a_link(work: Work) -> None:
    work.write(work.notebook)
    (work.folder / "timestamp.txt").symlink_to(f"../../../source/{TINY}/{TINY}.py")


def a_stamp_that_is_a_pipe(work: Work) -> None:
    work.write(work.notebook)
    os.mkfifo(work.folder / "timestamp.txt")


def many_values(work: Work) -> None:
    work.write(b'{"cells": [' + b"[]," * 20_000_000 + b"[]]}")


def a_lot_to_show(work: Work) -> None:
    work.cell("predict").source += "\nfrom IPython.display import HTML, display\n" + "\n".join(
        ["display(HTML('<b>x</b>' * 480_000))"] * 30
    )


def environments(work: Work) -> None:
    work.cell("explain").source = "\\begin{a}" * 20_000


def deep_elements(work: Work) -> None:
    work.cell("explain").source = "<div>" * 16_000


def a_link_for_a_folder(work: Work) -> None:
    work.written = True
    work.folder.rmdir()
    work.folder.symlink_to(f"../../source/{TINY}")


ODD = {
    "stamp is a link": Row(a_stamp_that_is_a_link),
    "stamp is a pipe": Row(a_stamp_that_is_a_pipe),
    "many values": Row(many_values),
    "a lot to show": Row(a_lot_to_show),
    "environments": Row(environments),
    "deep elements": Row(deep_elements),
    "folder is a link": Row(a_link_for_a_folder),
}
NO_IDS = ("a\nb", "y" * 250, "..x")


def hand_in(course: Path, given: dict[str, object], students: int) -> list[str]:
    """Fill `submitted`; returns the ids. The odd ones come first, so that a small class has them, too."""
    small, tiny = (read_bank(name, course, course.parent / "solutions") for name in (UNIT, TINY))
    right = dict.fromkeys(POINTS, SOURCE)
    solved = compose(tiny, dict.fromkeys(("gradients", "predict"), SOURCE), hidden_tests=False)
    heading = "given = " + json.dumps(given).replace("false", "False").replace("true", "True") + "\n"
    makers: dict[str, Callable[[Path], None]] = {}

    def of_row(row: Row) -> Callable[[Path], None]:
        return lambda place: submissions.hand_in(place / TINY, row, solved, tiny.release)

    def of_cells(cells: dict[str, str]) -> Callable[[Path], None]:
        def make(place: Path) -> None:
            (place / UNIT).mkdir(parents=True)
            notebook = fill(compose(small, right, hidden_tests=False), cells)
            (place / UNIT / f"{UNIT}.ipynb").write_text(json.dumps(notebook))

        return make

    rows = [{name: of_row(row) for name, row in ODD.items()}, {n: of_row(row) for n, row in submissions.ROWS.items()}]
    rows.append({name: of_cells(answer.cells) for name, answer in ANSWERS.items()})
    rows.append({student_of(n): of_cells({a.exercise: heading + a.source}) for n, a in ATTACKS.items()})
    makers |= rows[0]
    others = [list(group.items()) for group in rows[1:]]
    for place in range(max(map(len, others))):  # a small class has some of each
        makers |= dict(group[place] for group in others if place < len(group))
    names = []
    for number in range(students):
        name = list(makers)[number % len(makers)]
        turn = number // len(makers) + 1
        names.append(name if turn == 1 else f"{name} ({turn})")
        makers[name](course / "submitted" / names[-1])
    for name in NO_IDS:
        (course / "submitted" / name / UNIT).mkdir(parents=True)
    with (course / "students.csv").open("a") as roster:
        roster.write("../../../../up,Uma,\nabsent,Abe,\nabsent,Abe again,\n")
    return names


def measured(*command: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Run a command of this package; what it printed, and what it took."""
    begun = time.monotonic()
    most: Counter[str] = Counter()
    env = {**os.environ, "PYTHONPATH": str(PACKAGE_PARENT)}
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as wrong:
        argv = [sys.executable, "-m", "autodiff_lab", *command]
        process = psutil.Popen(argv, stdout=said, stderr=wrong, env=env)
        while process.poll() is None:
            sizes = []
            for one in [process, *process.children(recursive=True)]:
                try:
                    sizes.append(one.memory_info().rss)
                except psutil.Error:
                    sizes.append(0)
            most["main"] = max(most["main"], sizes[0])
            most["largest"] = max([most["largest"], *sizes[1:]])
            most["all"] = max(most["all"], sum(sizes))
            time.sleep(0.2)
        for file in (said, wrong):
            file.seek(0)
        done = subprocess.CompletedProcess(command, process.returncode, said.read(), wrong.read())
    took = time.monotonic() - begun
    sizes_told = ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in most.items())
    return done, f"{command[0]:9} {took:7.1f} s, exit code {done.returncode}, most memory: {sizes_told}"


def main() -> int:
    """Grade, make pages and the report, and say what does not hold; the exit code is 1 if anything does not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    wrong = []
    # Not below /tmp, which a sandbox has for itself.
    with tempfile.TemporaryDirectory(prefix="adl_class_", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        course = make_class(folder)
        with outside(folder, course) as made:
            names = hand_in(course, made.given, chosen.students)
            place, workers = ("--course", str(course)), ("--workers", str(chosen.workers))
            graded, told = measured("grade", "--json", *place, *workers)
            print(told, flush=True)
            fed, told = measured("feedback", *place, *workers)
            print(told, flush=True)
            reported, told = measured("report", "--no-open", *place)
            print(told, flush=True)
        rows = json.loads(graded.stdout)["students"] if graded.stdout else []
        statuses = {row["student"]: row["status"] for row in rows if row["status"] != "missing"}
        stray = "link" in names
        if graded.returncode != stray or graded.stderr.count("Error: ") != stray or (STRAY in graded.stderr) != stray:
            wrong.append(f"grade: {graded.stderr[-2000:]}")
        if reported.returncode:
            wrong.append(f"report: {reported.stderr[-2000:]}")
        empty = {student for student in set(names) - statuses.keys() if _has_files(course / "submitted" / student)}
        wrong += [f"{student} has no status" for student in sorted(empty)]
        wrong += [f"{student!r} was taken for a student" for student in {row["student"] for row in rows} & {*NO_IDS}]
        with_notebook = {path.parents[1].name for path in course.glob("autograded/*/*/*.ipynb")}
        with_page = {path.parents[1].name for path in course.glob("feedback/*/*/*.html") if path.stat().st_size}
        wrong += [f"{student} has no page" for student in sorted(with_notebook - with_page)]
        for path in course.glob("feedback/**/*"):
            if path.is_symlink() or (path.is_file() and HIDDEN in path.read_bytes()):
                wrong.append(f"{path.relative_to(course)} is a link or holds a hidden test")
        page = (course / "reports" / "report.html").read_text(encoding="utf-8") if not reported.returncode else ""
        shown = sum(path.stat().st_size for path in course.glob("feedback/*/*/*.html"))
        print(f"{len(names)} students: {dict(Counter(statuses.values()))}")
        print(f"{len(with_page)} pages, {shown / 1e6:.0f} MB; the report has {len(page) / 1e6:.1f} MB")
        print("\n".join(line for line in fed.stdout.splitlines() if "because" in line))
    print("\n".join(wrong) or "Everything holds.")
    return 1 if wrong else 0


def _has_files(folder: Path) -> bool:
    return any(path.name != "timestamp.txt" and not path.is_dir() for path in folder.rglob("*"))


if __name__ == "__main__":
    sys.exit(main())
