"""`python3 -m autodiff_lab COMMAND`: sets up what is missing, then runs the command line.

This file and the package's `__init__` parse on any Python 3, so that one that is too old is told so, in one line.
"""

import sys

MINIMUM = (3, 11)


def _starts(name):
    """Whether a program called `name` is there and runs (a version manager's placeholder is there, but does not)."""
    import subprocess

    try:
        return subprocess.call([name, "-c", ""], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def _refuse_old_python():
    """Exit with one line and a hint; the hint names a newer Python if this machine has one."""
    newer = [name for name in ("python3.%d" % minor for minor in range(20, 10, -1)) if _starts(name)]
    command = " ".join(["-m", "autodiff_lab"] + sys.argv[1:])
    sys.stderr.write(
        "autodiff_lab needs Python %d.%d or newer; this is Python %d.%d (%s).\n"
        % (MINIMUM + tuple(sys.version_info[:2]) + (sys.executable,))
    )
    if newer:
        sys.stderr.write("Hint: a newer one is installed here: %s %s\n" % (newer[0], command))
    else:
        sys.stderr.write("Hint: install Python 3.11 or newer, then run the same command with it.\n")
    sys.exit(1)


if __name__ == "__main__":
    if sys.version_info < MINIMUM:
        _refuse_old_python()

    from autodiff_lab.bootstrap import ensure_environment

    ensure_environment(sys.argv[1:])

    from autodiff_lab.cli import main

    sys.exit(main())
