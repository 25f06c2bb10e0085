"""What real submissions bring, and which rows of the class stand for each kind of them.

`HONEST` work is graded or gets a status, never lost, never a silent zero. `HOSTILE` work has no points, and does no
harm.
`ELSEWHERE`: what a class in one run cannot hold, and the tests that hold it.
"""

HONEST: dict[str, tuple[str, ...]] = {
    "correct": ("correct", "right"),
    "a warning on stderr while the test runs": ("warns", "numpy warns"),
    "an infinite loop in one exercise": ("loops", "loops at once"),
    "an infinite loop that swallows KeyboardInterrupt": ("loops and swallows interrupts",),
    "os._exit": ("exits", "exits at once", "exits in the last exercise"),
    "a segmentation fault": ("segmentation fault",),
    "killed for memory": ("killed for memory",),
    "100 MB printed": ("prints 100 MB in lines", "prints 100 MB in one", "much-output"),
    "a test cell deleted, or all of them": ("test-deleted", "all-tests-deleted"),
    "the solution cell deleted": ("answer-deleted", "all-deleted"),
    "the answer cell duplicated or split": (
        *("answer-twice", "last-changed-copy", "copy-below-the-test", "copy-as-scratch"),
        *("split", "split-inside", "split-inside-without-mark", "split-far-apart"),
    ),
    "the test cell duplicated": ("test-twice",),
    "a test cell edited or turned to Markdown": ("test-edited", "test-formatted", "test-to-markdown"),
    "its points changed, a tag added": ("points-raised", "tags-added"),
    "nbgrader metadata stripped": (
        *("stripped", "stripped-of-ids", "stripped-all-answered", "stripped-tests-edited", "partly-stripped"),
    ),
    "nbformat 4.4 without ids": ("old-minor", "version-3"),
    "a foreign or missing kernelspec": ("foreign-kernel", "own-python", "no-kernel"),
    "a byte-order mark; CRLF": ("bom", "crlf", "utf-16", "latin-1"),
    "truncated JSON": ("truncated", "blank", "zeros", "list", "picture", "merge-conflict", "deep", "cells-no-list"),
    "an empty file": ("empty",),
    "a directory of that name": ("folder", "in-folder-of-that-name"),
    "the file renamed": ("renamed", "renamed-by-mail", "in-a-folder", "odd-name"),
    "two copies of it": (
        *("identical-copies", "different-copies", "different-renamed-copies", "older-state-beside"),
        *("untouched-beside", "broken-one-beside"),
    ),
    "another unit's notebook": ("wrong-unit", "something-else"),
    "nothing submitted": ("nothing", "only-a-time", "hands in nothing"),
    "input() in an answer": ("asks for input", "asks for input at once"),
    "exit()": ("quits",),
    "plt.show() in a loop": ("plots",),
    "widgets left open": ("widgets left open",),
    "a background thread still printing": ("a thread that prints",),
    "cells in another order": ("stripped-other-order", "test-above", "exercises-swapped", "uses-what-stands-below"),
    "a helper file that shadows a package": ("shadows",),
    "a helper file": ("helper", "odd-names-beside"),
    "a student id with spaces, apostrophes, non-Latin letters": ("o'brien d'arc", "李娜 (2)", "Ümit & Søn"),
    "right but of a different type": ("a list of NumPy numbers", "an array", "whole numbers"),
    "valid alternatives": ("another order", "recursion", "one half at the kink"),
    "untouched release": ("untouched",),
    "a stray import of what is masked": ("an import of torch that is not used",),
}

HOSTILE: dict[str, tuple[str, ...]] = {
    "assert removed by an AST or input transformer": (
        *("asserts removed by an AST transformer", "tests removed by an input transformer"),
    ),
    "tracing functions that rewrite globals": ("a tracing function rewrites globals",),
    "patched comparison helpers": ("comparison helpers replaced", "drivers of tests replaced"),
    "objects that lie": (
        *("numbers whose comparison lies", "an object that is equal to everything"),
        "a tuple that changes when it is looked at twice",
    ),
    "expected values out of the caller's frame or In": (
        *("expected values out of a caller's frame", "expected values out of In and the history"),
    ),
    "the solution out of the course directory": ("the solution out of the course", "a link in the submission's folder"),
    "hidden tests out of its own notebook file": (
        *("hidden tests out of the notebook's own file", "hidden tests out of memory and open files"),
    ),
    "an output forged before the test fails": ("an output with points forged before the test fails",),
    "a tag on the test cell": ("cell metadata set from inside",),
    "writing to the gradebook, at once or later": (
        *("writes to the gradebook", "writes to the gradebook later, from a process that outlives the run"),
        "a thread and an exit handler that write later",
    ),
    "opening a socket": ("a socket to the network",),
    "20 GB of memory": ("memory without end", "memory in many processes"),
    "process floods": ("a flood of processes", "processes that make processes, and outlive the cell"),
    "deleting the home directory": ("deletes the home directory",),
    "killing the parent": ("kills its parents", "kills everyone"),
    "reading another submission": ("another submission",),
    "the engine or torch as the answer": (
        *("the engine as the answer", "torch as the answer", "the engine loaded around its mask"),
        "reference answers of the checks",
    ),
    "finite or complex differences": ("finite differences", "complex differences"),
    "malformed replies": ("replies that are no JSON", "replies that are no text", "replies of another kind"),
    "enormous replies": ("replies that are enormous", "replies that are deep", "replies of many elements"),
    "forged protocol messages": (
        *("messages that make no sense", "says that it is idle while it works", "replies before the questions"),
        "speaks to its own kernel as if it were the grader",
    ),
    "a hostile json": ("a hostile json module and builtins",),
    "slow answers": ("drips its answer", "an answer just in time, again and again"),
    "signals": ("stops itself", "kills everyone"),
    "files left for the next student": (
        *("files left for the next student: leaves", "files left for the next student: looks"),
    ),
    "another process's memory or environment": (
        *("memory of other processes", "hidden tests out of memory and open files"),
    ),
}

ELSEWHERE: dict[str, tuple[str, ...]] = {
    "grading interrupted half way": (
        "test_pool.test_who_is_killed_at_any_step_leaves_the_old_or_the_new",
        "test_pool.test_a_run_that_is_killed_again_and_again_and_resumed_ends_as_an_undisturbed_one",
        "test_left_behind.test_a_run_with_real_kernels_that_is_killed_and_resumed_ends_as_an_undisturbed_one",
    ),
    "disk full": (
        "test_pool.test_with_the_disk_full_for_a_while_nothing_is_lost",
        "test_pool.test_on_a_disk_that_is_really_full_grading_waits_for_room",
    ),
    "gradebook locked": ("test_pool.test_with_the_gradebook_locked_for_a_while_nothing_is_lost",),
    "scripts in feedback and formgrader": (
        "test_feedback.test_nothing_runs_and_nothing_is_loaded_when_a_page_is_opened",
        "test_formgrader.test_nothing_of_a_submission_runs_and_nothing_is_loaded_from_outside",
    ),
}
