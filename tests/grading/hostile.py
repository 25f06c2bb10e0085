"""Answers that want points they have not earned, or to do harm: each is the text of one exercise's answer cell.

An attack begins with `given`: where things are outside the sandbox, as if someone had told. It prints a line that
begins with "REACHED" for whatever it got hold of. The wrong answer behind an attack is `WRONG` unless it says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field

WRONG = """
def gradients(x, y):
    return y, x + y
"""


@dataclass(frozen=True)
class Attack:
    """An answer to `exercise`, and what comes of it: the note of that exercise, and points that others lose as well.

    `note` None: any. `alone`: the same student's other exercises keep their points; else they may be lost as well.
    `files`: what lies beside the notebook; a value that begins with "-> " is a link.
    """

    source: str
    note: str | None = "wrong answer"
    exercise: str = "gradients"
    alone: bool = True
    files: dict[str, str] = field(default_factory=dict)


def wrong(attack: str, **options: object) -> Attack:
    return Attack(attack + WRONG, **options)  # type: ignore[arg-type]


# ------------------------------------------------------------ points for a wrong answer

CHEATS: dict[str, Attack] = {
    "asserts removed by an AST transformer": wrong(
        """
import ast
class Out(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
    def visit_Raise(self, node): return ast.Pass()
    def visit_Expr(self, node): return ast.Pass()
get_ipython().ast_transformers.append(Out())
""",
        note="crashed",
    ),
    "tests removed by an input transformer": wrong(
        """
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"] if "check(" in "".join(lines) else lines)
get_ipython().input_transformer_manager.line_transforms.append(lambda lines: ["pass\\n"])
""",
        note="crashed",
    ),
    "a tracing function rewrites globals": wrong("""
import sys, threading
def trace(frame, event, arg):
    for name in ("check", "expected", "same", "accept"):
        if name in frame.f_globals:
            frame.f_globals[name] = lambda *a, **k: True
    return trace
sys.settrace(trace); threading.settrace(trace); sys.setprofile(trace)
"""),
    "comparison helpers replaced": wrong("""
import math, builtins, operator
from autodiff_lab.checks import compare, plain, failed
import autodiff_lab.checks as checks
yes = lambda *a, **k: True
for module in (compare, plain):
    for name in ("same", "_same_numbers", "_fits"):
        if hasattr(module, name): setattr(module, name, yes)
compare._problem = lambda *a, **k: None
compare._fail = lambda *a, **k: None
checks.check = compare.check = checks.compare.Check.__call__ = lambda *a, **k: None
checks.compare.Check.each = yes
math.isclose = operator.eq = yes
failed.CheckFailed.__init__ = lambda self, *a: SystemExit()
"""),
    "numbers whose comparison lies": Attack("""
class Lie(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __float__(self): return 3.0
    def __add__(self, other): return other
    def __sub__(self, other): return 0.0
    __radd__ = __rsub__ = __add__
    def __abs__(self): return 0.0
    def __hash__(self): return 0
def gradients(x, y):
    return Lie(y), Lie(x + y)
"""),
    "an object that is equal to everything": Attack("""
class Lie:
    def __eq__(self, other): return True
    def __float__(self): return 3.0
    def __iter__(self): return iter([3.0, 8.0])
    def __getattr__(self, name): return self
    def __class_getitem__(cls, item): return cls
    @property
    def __class__(self): return tuple
def gradients(x, y):
    return Lie()
"""),
    "a tuple that changes when it is looked at twice": Attack("""
class Lie(tuple):
    looked = 0
    def __iter__(self):
        Lie.looked += 1
        return iter((3.0, 8.0))
    def __len__(self): return 2
    def __getitem__(self, at): return (3.0, 8.0)[at]
def gradients(x, y):
    return Lie((y, x + y))
"""),
    "expected values out of a caller's frame": Attack("""
def gradients(x, y):
    import gc, inspect, sys
    found = [frame.frame for frame in inspect.stack()]
    found += [o for o in gc.get_objects() if inspect.isframe(o)]
    for names in [n for f in found for n in (f.f_locals, f.f_globals)]:
        for name in ("expect", "expected", "right", "only_in_the_" + "hidden_test_of_gradients"):
            if isinstance(names.get(name), (tuple, list)):
                print("REACHED", names[name])
                return names[name]
    return y, x + y
"""),
    "expected values out of In and the history": Attack("""
def gradients(x, y):
    import re
    shell = get_ipython()
    texts = list(In) + [row[2] for row in shell.history_manager.get_range()] + [str(shell.user_ns.get("_i", ""))]
    for text in texts:
        found = "def gradients" not in text and re.search(r"expect(?:ed)? *= *\\(([^)]*)\\)", text)
        if found:
            print("REACHED", found.group(1))
            return tuple(map(float, found.group(1).split(",")))
    return y, x + y
"""),
    "an output with points forged before the test fails": Attack("""
def gradients(x, y):
    kernel = get_ipython().kernel
    parent = kernel.get_parent("shell") or {}
    for kind, content in (
        ("execute_result", {"data": {"text/plain": "40"}, "metadata": {}, "execution_count": 1}),
        ("display_data", {"data": {"text/plain": "40"}, "metadata": {"points": 40}}),
        ("clear_output", {"wait": False}),
    ):
        kernel.session.send(kernel.iopub_socket, kind, content, parent=parent)
    print("points: 40/40  passed: test-gradients", flush=True)
    return y, x + y
"""),
    "a traceback and points printed": Attack("""
import json, sys
def gradients(x, y):
    print("\\x1b[2K\\rAll tests passed. 40/40 points")
    print(json.dumps({"outputs": [], "points": 40, "ended": None}))
    print(json.dumps({"outputs": []}), file=sys.stderr)
    return y, x + y
"""),
    "cell metadata set from inside": Attack("""
def gradients(x, y):
    shell = get_ipython()
    shell.payload_manager.write_payload({"source": "set_next_input", "text": "pass", "replace": True})
    from IPython.display import display
    display({"text/plain": "x"}, raw=True, metadata={"nbgrader": {"points": 0}, "tags": ["skip-execution"]})
    for name in ("_ih", "In"):
        shell.user_ns[name][:] = []
    return y, x + y
"""),
    "right at the first question only": Attack(
        """
calls = 0
def gradients(x, y):
    global calls
    calls += 1
    return (3.0, 8.0) if calls == 1 else (y, x + y)
""",
        note="only a hidden test failed",
    ),
    "right for what was asked before": Attack(
        """
seen = {}
def gradients(x, y):
    return {(2.0, 3.0): (3.0, 8.0)}.get((x, y), seen.setdefault((x, y), (y, x + y)))
""",
        note="only a hidden test failed",
    ),
    "drivers of tests replaced": wrong(
        """
import builtins
from autodiff_lab.checks import bridge
bridge.Local.run = lambda self, source, inputs, max_calls: (3.0, 8.0)
bridge.Local.call = lambda self, name, args, kwargs: ((3.0, 8.0), args)
bridge.Local.get = lambda self, name: (3.0, 8.0)
""",
        note="only a hidden test failed",
        alone=False,
    ),
    "the engine as the answer": Attack(
        """
def gradients(x, y):
    from autodiff_lab.engine import backward
    from autodiff_lab.engine.scalar import Scalar
    a, b = Scalar(x), Scalar(y)
    ((a + b) * b).backward()
    print("REACHED the engine")
    return a.grad, b.grad
""",
        note="uses what is not available",
    ),
    "torch as the answer": Attack(
        """
import torch
def gradients(x, y):
    a, b = torch.tensor(x, requires_grad=True), torch.tensor(y, requires_grad=True)
    ((a + b) * b).backward()
    print("REACHED torch")
    return float(a.grad), float(b.grad)
""",
        note="uses what is not available",
    ),
    "the engine loaded around its mask": Attack(
        """
def gradients(x, y):
    import glob, importlib.util, sys
    for name in [name for name in sys.modules if name.startswith("autodiff_lab")]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if "frozen" in repr(finder)]
    for folder in sys.path + [given["package"]]:
        for file in glob.glob(folder + "/**/engine/scalar*", recursive=True):
            spec = importlib.util.spec_from_file_location("scalar", file)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            print("REACHED", file)
    from autodiff_lab.engine.scalar import Scalar
    a, b = Scalar(x), Scalar(y)
    ((a + b) * b).backward()
    return a.grad, b.grad
""",
        note="uses what is not available",
    ),
    "reference answers of the checks": Attack(
        """
def gradients(x, y):
    from autodiff_lab.units import backward_sweep
    found = backward_sweep.chain_adjoints([x, y], [0.0])
    print("REACHED", found)
    return y, x + 2 * y
""",
        note="uses what is not available",
    ),
    "finite differences": Attack(
        """
def sweep(tape, inputs):
    def run(change_at, change):
        values, given = [], iter(inputs)
        for at, (kind, *p) in enumerate(tape):
            of = [values[q] for q in p]
            value = (next(given) if kind == "input" else of[0] + of[1] if kind == "add" else of[0] * of[1]
                     if kind == "mul" else max(of[0], 0))
            values.append(value + (change if at == change_at else 0))
        return values[-1]
    return [(run(at, 1e-5) - run(at, -1e-5)) / 2e-5 for at in range(len(tape))]
""",
        exercise="sweep",
        note="only a hidden test failed",
    ),
    "complex differences": Attack(
        """
def sweep(tape, inputs):
    def run(change_at):
        values, given = [], iter(inputs)
        for at, (kind, *p) in enumerate(tape):
            of = [values[q] for q in p]
            value = (next(given) if kind == "input" else of[0] + of[1] if kind == "add" else of[0] * of[1]
                     if kind == "mul" else of[0] if of[0].real > 0 else 0)
            values.append(value + (1e-30j if at == change_at else 0))
        return values[-1]
    return [round(run(at).imag / 1e-30) for at in range(len(tape))]
""",
        exercise="sweep",
        note="only a hidden test failed",
    ),
}

# ------------------------------------------------------------ reading what is none of their business

SPIES: dict[str, Attack] = {
    "the solution out of the course": wrong("""
import os
for root in (given["course"], given["solutions"], given["checkout"] + "/course", given["checkout"] + "/solutions"):
    for folder, _, names in os.walk(root):
        for name in names:
            if name.startswith("91_small") or name == "gradebook.db":
                print("REACHED", folder, name)
"""),
    "hidden tests out of the notebook's own file": wrong("""
import glob, os
for place in (".", "..", os.path.expanduser("~"), "/tmp", "/dev/shm", given["course"], given["temporary"]):
    for file in glob.glob(place + "/**/*.ipynb", recursive=True) + glob.glob(place + "/**/*91_small*", recursive=True):
        if os.path.isdir(file) or b"91-small" in open(file, "rb").read():
            print("REACHED", file)
"""),
    "another submission": wrong("""
import os
for root in (given["course"] + "/submitted", given["course"] + "/autograded", given["temporary"]):
    for folder, _, names in os.walk(root):
        print("REACHED", folder, names)
"""),
    "hidden tests out of memory and open files": Attack("""
def gradients(x, y):
    import gc, os, sys
    marks = [part + "_hidden_test_of_gradients" for part in ("only_in_the",)]
    for thing in gc.get_objects():
        if isinstance(thing, dict) and marks[0] in thing:
            print("REACHED a namespace")
    for number in range(3, 256):
        try:
            kind = os.readlink(f"/proc/self/fd/{number}")
            known = ("/dev/", "/tmp", "/home/student", "/usr", given["prefix"])
            if kind.startswith("/") and not kind.startswith((*known, "/memfd")):
                print("REACHED", kind)
            if kind.startswith("/memfd") and marks[0].encode() in os.pread(number, 10_000_000, 0):
                print("REACHED", kind)
        except OSError:
            pass
    for number in filter(str.isdigit, os.listdir("/proc")):
        for file in ("cmdline", "environ"):
            try:
                text = open(f"/proc/{number}/{file}", "rb").read()
            except OSError:
                continue
            if given["variable"].encode() in text or given["course"].encode() in text or b"grading.judge" in text:
                print("REACHED", number, file)
    return y, x + y
"""),
    "memory of other processes": wrong("""
import ctypes, os
library = ctypes.CDLL(None, use_errno=True)
mine = {os.getpid(), *map(int, os.listdir("/proc/self/task"))}
for number in {given["pid"], os.getppid(), *range(1, 40)} - mine:
    try:
        open(f"/proc/{number}/mem", "rb").close()
        print("REACHED", number)
    except OSError:
        pass
    if library.ptrace(16, number, 0, 0) == 0:
        print("REACHED ptrace", number)
try:
    os.kill(given["pid"], 0)
    print("REACHED the grader")
except OSError:
    pass
"""),
    "a link in the submission's folder": wrong(
        """
import os
for name in ("book.txt", "source.txt", "folder"):
    if os.path.exists(name):
        print("REACHED", os.path.realpath(name))
""",
        files={
            "book.txt": "-> {course}/gradebook.db",
            "source.txt": "-> {course}/source/91_small/91_small.py",
            "folder": "-> {course}/source",
        },
    ),
    "a socket to the network": wrong("""
import socket
for family, address in ((socket.AF_INET, ("127.0.0.1", given["port"])), (socket.AF_INET, ("1.1.1.1", 53)),
                        (socket.AF_UNIX, given["socket"]), (socket.AF_UNIX, "\\0" + given["abstract"])):
    try:
        socket.socket(family, socket.SOCK_STREAM).connect(address)
        print("REACHED", address)
    except OSError:
        pass
"""),
    "files left for the next student: leaves": wrong("""
import os, sys
for folder in ("/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), ".", os.path.dirname(os.__file__),
               given["package"], given["temporary"]):
    try:
        open(folder + "/for_the_next_student.py", "w").write("ANSWER = 1")
        open(folder + "/sitecustomize.py", "w").write("print('REACHED')")
    except OSError:
        pass
"""),
    "files left for the next student: looks": wrong("""
import os
for folder in ("/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), ".", os.path.dirname(os.__file__),
               given["package"], given["temporary"]):
    if os.path.exists(folder + "/for_the_next_student.py"):
        print("REACHED", folder)
"""),
}

# ------------------------------------------------------------ harm

HARM: dict[str, Attack] = {
    "writes to the gradebook": wrong("""
import os, sqlite3
for place in (given["course"], "/proc/1/root" + given["course"], "."):
    try:
        book = sqlite3.connect(place + "/gradebook.db")
        book.execute("update grade set auto_score = 100, manual_score = 100")
        book.commit()
        print("REACHED the gradebook")
    except sqlite3.Error:
        pass
try:
    os.makedirs(given["course"] + "/reports", exist_ok=True)
    open(given["course"] + "/reports/audit.jsonl", "w").write("")
    print("REACHED" if not given["course"].startswith("/tmp") else "", "a folder")
except OSError:
    pass
"""),
    "writes to the gradebook later, from a process that outlives the run": wrong("""
import os, sqlite3, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv("/bin/sh", ["/bin/sh", "-c", f"sleep {given['seconds']}; echo late > {given['course']}/late"])
    os._exit(0)
"""),
    "a thread and an exit handler that write later": wrong("""
import atexit, threading, time
def late():
    time.sleep(0.5)
    try:
        open(given["course"] + "/late", "w").write("late")
        open(given["secret"], "w").write("late")
    except OSError:
        pass
atexit.register(late)
threading.Thread(target=late).start()
"""),
    "memory without end": Attack(
        """
def gradients(x, y):
    held = []
    while len(held) < 200:
        held.append(bytearray(b"x") * 100_000_000)
    return y, x + 2 * y
""",
        note=None,
    ),
    "memory in many processes": Attack(
        """
def gradients(x, y):
    import os, time
    for _ in range(12):
        if os.fork() == 0:
            held = bytearray(b"x") * 300_000_000
            time.sleep(20)
            os._exit(0)
    time.sleep(20)
    return y, x + 2 * y
""",
        note="out of memory",
    ),
    "a flood of processes": wrong("""
import os, time
for _ in range(30):
    try:
        if os.fork() == 0:
            os.setsid()
            os.execv("/bin/sleep", ["/bin/sleep", given["seconds"]])
    except OSError:
        pass
"""),
    "processes that make processes, and outlive the cell": Attack(
        """
def gradients(x, y):
    import os, signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        made = 0
        while made < 30:
            made += 1
            try:
                if os.fork() == 0:
                    os.setsid()
                    os.execv("/bin/sleep", ["/bin/sleep", given["seconds"]])
            except OSError:
                time.sleep(0.05)
        os._exit(0)
    return y, x + y
""",
        note=None,
    ),
    "deletes the home directory": wrong("""
import os, shutil
for place in (given["home"], os.path.dirname(given["secret"]), given["course"], ".", "/tmp"):
    shutil.rmtree(place, ignore_errors=True)
if os.path.expanduser("~") == "/home/student":
    shutil.rmtree("/home/student", ignore_errors=True)
"""),
    "kills its parents": wrong(
        """
import os, signal
for number in (given["decoy"], os.getppid(), 1):
    for kind in (signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP):
        if number == given["decoy"] or os.getpid() < 100:
            try:
                os.kill(number, kind)
            except OSError:
                pass
""",
        note=None,
    ),
    "kills everyone": Attack(
        """
def gradients(x, y):
    import os, signal
    if os.getpid() < 100:
        os.kill(-1, signal.SIGKILL)
        os.killpg(0, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    return y, x + y
""",
        note=None,
    ),
    "stops itself": Attack(
        """
def gradients(x, y):
    import os, signal
    os.kill(os.getpid(), signal.SIGSTOP)
    return y, x + y
""",
        note="timeout",
    ),
}

# ------------------------------------------------------------ the split itself

BEFORE_THE_QUESTION = """
import os, socket
from autodiff_lab.checks import bridge
number = int(os.environ[bridge.SOCKET])
line = socket.socket(fileno=os.dup(number))
line.setblocking(False)
def send(text):
    try:
        line.send(text)
    except OSError:
        pass
"""


def replies(text: str, note: str | None = "crashed", alone: bool = True) -> Attack:
    """Whatever is asked, this expression is sent as the reply; `number` is that of the question, `asked` what."""
    return wrong(
        f"""
from autodiff_lab.checks import bridge
import base64, json, os, socket, time
def serve(first):
    line = socket.socket(fileno=os.dup(int(os.environ[bridge.SOCKET])))
    stream = line.makefile("rb")
    for question in stream:
        number, _, asked = question.partition(b" ")
        if int(number) < first:
            continue
        if asked.strip() == b"null":
            return
        line.sendall({text})
bridge.serve = serve
""",
        note=note,
        alone=alone,
    )


SPLIT: dict[str, Attack] = {
    "replies that are no JSON": replies('number + b" passed: 40 points\\n"'),
    "replies that are no text": replies('number + b" \\xff\\xfe{\\x00\\xd8\\n"'),
    "replies that are deep": replies('number + b" " + b"[" * 100_000 + b"]" * 100_000 + b"\\n"'),
    "replies that are enormous": replies('number + b" [" + b"0," * 20_000_000 + b"0]\\n"', note=None),
    "replies of many elements": replies("number + b' {\"d\":[[\"value\",[' + b'0,' * 3_000_000 + b'0]]]}\\n'"),
    "replies without an end": replies('number + b" " + b"1" * 30_000_000', note=None),
    "replies of keys that collide": replies(
        "number + b' {\"d\":[[\"value\",{\"d\":[' + b','.join(b'[%d,0]' % (k * (2**61 - 1)) for k in range(1, 40_000)) "
        "+ b']}]]}\\n'"
    ),
    "replies of arrays that are not there": replies(
        'number + b\' {"d":[["value",{"a":["<f8",[1000000000,1000000000],"AAAA"]}]]}\\n\''
    ),
    "replies of an object array": replies(
        'number + b\' {"d":[["value",{"a":["|O8",[1],"\' + base64.b64encode(b\'12345678\') + b\'"]}]]}\\n\''
    ),
    "replies of numbers without end": replies("number + b' {\"d\":[[\"value\",[1e999,' + b'9' * 100_000 + b']]]}\\n'"),
    "replies of another kind": replies('number + b\' {"outputs":{"d":[]}}\\n\' + b\'{"outputs":[]}\\n\''),
    "replies with other numbers": replies('b\'999999 {"d":[["value",{"t":[{"t":[3.0,8.0]},[]]}]]}\\n\''),
    "replies with nothing": replies("b'\\n' * 10"),
    "replies before the questions": wrong(
        BEFORE_THE_QUESTION
        + """
for at in range(1, 200):
    send(b'%d {"d":[["value",{"t":[{"t":[3.0,8.0]},[]]}]]}\\n' % at)
""",
        note=None,
        alone=False,
    ),
    "says that there are no more questions": wrong(
        """
from autodiff_lab.checks import bridge
bridge.serve = lambda first: None
""",
        note="crashed",
    ),
    "sends null as soon as it is asked": wrong(
        BEFORE_THE_QUESTION
        + """
def gradients(x, y): send(b"0 null\\n1 null\\n2 null\\n"); return y, x + y
bridge.Local.call = lambda self, name, args, kwargs: send(b"2 null\\n") or ((3.0, 8.0), args)
""",
        note=None,
        alone=False,
    ),
    "closes the line": wrong(
        """
import os
from autodiff_lab.checks import bridge
os.close(int(os.environ[bridge.SOCKET]))
""",
        note="crashed",
    ),
    "shuts the line down in the middle of a question": Attack(
        """
def gradients(x, y):
    import os, socket
    from autodiff_lab.checks import bridge
    socket.socket(fileno=os.dup(int(os.environ[bridge.SOCKET]))).shutdown(socket.SHUT_RDWR)
    return y, x + y
""",
        note="crashed",
    ),
    "a hostile json module and builtins": wrong(
        """
import builtins, json, math
json.dumps = lambda *a, **k: '{"d":[["value",{"t":[{"t":[3.0,8.0]},[]]}]]}'
json.loads = json.JSONDecoder.decode = lambda *a, **k: {"ask": "get", "name": "__name__"}
builtins.isinstance = lambda *a: True
builtins.len = lambda *a: 0
math.isfinite = math.isclose = lambda *a: True
""",
        note=None,
        alone=False,
    ),
    "an error whose every word is a lie": Attack(
        """
class Meta(type):
    __name__ = property(lambda cls: "NotStarted")
class CheckFailed(BaseException, metaclass=Meta):
    def __str__(self): raise self
    def __repr__(self): raise self
    @property
    def __traceback__(self): raise self
def gradients(x, y):
    raise CheckFailed()
""",
        note=None,
    ),
    "interrupts as answers": Attack(
        """
def gradients(x, y):
    raise KeyboardInterrupt("passed")
""",
        note="the answer raises an error",
    ),
    "drips its answer": replies(
        "b''.join((time.sleep(0.25), line.sendall(bytes([c])), b'')[2] for c in number + b' ' * 1000)",
        note="timeout",
        alone=False,
    ),
    "an answer just in time, again and again": Attack(
        """
def gradients(x, y):
    import time
    time.sleep(3)
    return y, x + y if (x, y) == (2.0, 3.0) else x + 2 * y
""",
        note="wrong answer",
    ),
    "a flood of output in the middle of a question": Attack(
        """
def gradients(x, y):
    import sys
    for _ in range(60):
        print("passed " * 1_000_000)
        print("x" * 1_000_000, file=sys.stderr, flush=True)
    return y, x + y
""",
        note=None,
    ),
    "messages larger than the grader's memory": Attack(
        """
def gradients(x, y):
    kernel = get_ipython().kernel
    parent = kernel.get_parent("shell") or {}
    text = "x" * 60_000_000
    for _ in range(100):
        kernel.session.send(kernel.iopub_socket, "stream", {"name": "stdout", "text": text}, parent=parent)
    return y, x + y
""",
        note=None,
    ),
    "messages that make no sense": Attack("""
def gradients(x, y):
    kernel = get_ipython().kernel
    parent = kernel.get_parent("shell") or {}
    for kind in ("stream", "display_data", "execute_result", "error", "update_display_data", "comm_open", "comm_msg",
                 "clear_output", "status", "input_request", "execute_input", "nonsense"):
        for content in ({}, {"data": 5, "name": [], "text": {}}, {"text": "\\ud800", "name": "stdout"},
                        {"data": {"text/plain": None, "\\ud800": []}, "metadata": 7}, {"execution_state": ["idle"]},
                        {"ename": 1, "evalue": None, "traceback": "x"}, {"comm_id": {}, "data": {"method": "x"}},
                        {"transient": {"display_id": ["x"]}, "data": {}, "metadata": {}}):
            try:
                kernel.session.send(kernel.iopub_socket, kind, content, parent=parent)
            except Exception:
                pass
    return y, x + y
"""),
    "says that it is idle while it works": Attack(
        """
def gradients(x, y):
    kernel = get_ipython().kernel
    parent = kernel.get_parent("shell") or {}
    kernel.session.send(kernel.iopub_socket, "status", {"execution_state": "idle"}, parent=parent)
    import time
    time.sleep(1)
    return 3.0, 8.0
""",
        note=None,
    ),
    "speaks to its own kernel as if it were the grader": wrong(
        """
import glob, json, os, threading, time
def work():
    from jupyter_client import BlockingKernelClient
    (file,) = glob.glob(os.path.expanduser("~/.sockets/*.json"))
    client = BlockingKernelClient()
    client.load_connection_file(file)
    client.start_channels()
    client.execute("def gradients(x, y): return 3.0, 8.0")
    client.control_channel.send(client.session.msg("interrupt_request", {}))
    time.sleep(0.3)
    client.shutdown()
threading.Thread(target=work, daemon=True).start()
""",
        note=None,
    ),
    "puts links in the place of the kernel's sockets": wrong("""
import glob, os
for file in glob.glob(os.path.expanduser("~/.sockets/*")):
    os.unlink(file)
    os.symlink(given["socket"], file)
os.symlink(given["course"], os.path.expanduser("~/.sockets/course"))
"""),
    "puts links in the place of the kernel's sockets, and dies, so that the grader connects again": wrong(
        """
import glob, os, time
for file in glob.glob(os.path.expanduser("~/.sockets/kernel-*")):
    os.unlink(file)
    os.symlink(given["socket"], file)
os._exit(1)
""",
        note="crashed",
    ),
    "becomes another program": Attack(
        """
def gradients(x, y):
    import os
    os.execv("/bin/sleep", ["/bin/sleep", given["seconds"]])
""",
        note=None,
    ),
    "reads the questions in a thread and answers itself": wrong(
        BEFORE_THE_QUESTION
        + """
import threading
def work():
    stream = socket.socket(fileno=os.dup(number)).makefile("rb")
    for question in stream:
        at = question.split(b" ")[0]
        send(at + b' {"d":[["value",{"t":[{"t":[3.0,8.0]},[]]}]]}\\n')
threading.Thread(target=work, daemon=True).start()
""",
        note=None,
        alone=False,
    ),
    "asks for what nobody types": Attack(
        """
def gradients(x, y):
    kernel = get_ipython().kernel
    kernel._allow_stdin = True
    return tuple(map(float, kernel.raw_input("points?").split()))
""",
        note=None,
    ),
    "a hostile display of its own answer": Attack("""
class Shown(tuple):
    def _repr_html_(self): return "<script>parent.points = 40</script>"
    def _repr_mimebundle_(self, **k): return {"application/vnd.jupyter.widget-view+json": {"model_id": ["x"]}}, {}
def gradients(x, y):
    from IPython.display import HTML, display
    display(Shown((y, x + y)), HTML("<script>document.title = 40</script>"))
    return Shown((y, x + y))
"""),
}

ATTACKS: dict[str, Attack] = {**CHEATS, **SPIES, **HARM, **SPLIT}

REFUSED: dict[str, tuple[str, ...]] = {
    "the engine as the answer": ("use autodiff_lab.Scalar",),
    "torch as the answer": ("use torch.tensor",),
    "the engine loaded around its mask": ("use autodiff_lab.Scalar",),
    "reference answers of the checks": ("use autodiff_lab.units.backward_sweep.chain_adjoints",),
    "hidden tests out of memory and open files": ("read /proc/1/environ",),
    "memory of other processes": ("read /proc/1/mem",),
    "a socket to the network": ("connect to 127.0.0.1:{port}", "connect to 1.1.1.1:53"),
    "files left for the next student: leaves": (
        "write to /var/tmp/for_the_next_student.py",
        "write to {package}/for_the_next_student.py",
        "write to {temporary}/for_the_next_student.py",
    ),
    "writes to the gradebook": (
        *("open the database {course}/gradebook.db", "open the database /proc/1/root{course}/gradebook.db"),
    ),
    "deletes the home directory": ("delete {home}", "delete {course}"),
    "kills its parents": ("send signal 9 to process {decoy}", "send signal 9 to process 1"),
    "kills everyone": ("send signal 9 to process -1",),
}
"""What is told of an attack, by its name: what Python itself notices, and hears of in time. `{course}`: as `given`."""
