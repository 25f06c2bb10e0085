"""What a student reads when an answer is right, wrong, missing, not started, broken or endless."""

import pkgutil
import random

import numpy as np
import pytest

from autodiff_lab import units
from autodiff_lab.checks import (
    AnswerMissing,
    AnswerRaised,
    BudgetExceeded,
    CheckFailed,
    NotStarted,
    Raised,
    WrongAnswer,
    check,
    misconceptions,
    seal,
)
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.checks.plain import NotPlain, plain, same
from autodiff_lab.checks.student import Local, Student
from autodiff_lab.units import backward_sweep as unit
from autodiff_lab.units import catalogue, fan_out, in_message, local_derivatives


def notebook(source: str) -> Student:
    """A student's notebook that holds ``source``."""
    namespace: dict = {}
    exec(source, namespace)
    return Student(Local(namespace))


def message(function, *args, **kwargs) -> str:
    with pytest.raises(CheckFailed) as caught:
        function(*args, **kwargs)
    return str(caught.value)


class Liar:
    """An answer that claims to equal everything."""

    def __eq__(self, other):
        return True

    def __float__(self):
        return 3.0

    __hash__ = None


def test_a_right_answer_passes_and_says_so(capsys):
    check(notebook("def f(x): return x + 1").f(2.0), expect=3.0)
    assert capsys.readouterr().out == "passed: f(2.0)\n"


def test_a_grader_hears_nothing_of_what_passes(capsys, monkeypatch):
    monkeypatch.setenv("AUTODIFF_LAB_QUIET", "1")
    check(notebook("def f(x): return x + 1").f(2.0), expect=3.0)
    assert capsys.readouterr().out == ""


def test_a_wrong_answer_is_told_call_expected_got_misconception_and_where_to_read():
    text = message(
        check,
        notebook("def gradients(x, y): return (y, x + y)").gradients(2.0, 3.0),
        expect=(3.0, 8.0),
        instead={(3.0, 5.0): fan_out.FAN_OUT_DIRECT_PATH_ONLY},
    )
    assert text.splitlines()[:3] == [
        "gradients(2.0, 3.0): not yet.",
        "  expected  (3.0, 8.0)",
        "  got       (3.0, 5.0)",
    ]
    assert "[fan-out-direct-path-only]" in text and "Read: unit 04" in text
    assert in_message(text) is fan_out.FAN_OUT_DIRECT_PATH_ONLY


def test_an_untouched_exercise_says_where_to_start():
    student = notebook("def f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()")
    with pytest.raises(NotStarted, match="YOUR CODE HERE"):
        check(student.f(1.0), expect=1.0)


def test_a_name_that_is_not_defined_asks_to_run_its_cell():
    with pytest.raises(AnswerMissing, match="f is not defined"):
        check(notebook("").f(1.0), expect=1.0)
    with pytest.raises(AnswerMissing, match="Value is not defined"):
        check(notebook("").run("return Value(2.0).data"), expect=2.0)


def test_a_name_missing_inside_the_students_own_code_is_their_error():
    with pytest.raises(AnswerRaised, match="NameError: name 'oops'"):
        check(notebook_with_lines("def f(x):\n    return oops\n").f(1.0), expect=1.0)


def notebook_with_lines(source: str) -> Student:
    """Like ``notebook``, with a source that tracebacks can quote, as in Jupyter."""
    import linecache

    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    namespace: dict = {}
    exec(compile(source, "<cell>", "exec"), namespace)
    return Student(Local(namespace))


def test_an_error_names_the_students_line_not_the_tests():
    text = message(check, notebook_with_lines("def f(x):\n    return x / 0\n").f(1.0), expect=1.0)
    assert "ZeroDivisionError" in text and "in your code, line 2 of f: return x / 0" in text


def test_an_exception_type_can_be_a_misconception():
    student = notebook("def f(x): return f(x)")
    with pytest.raises(AnswerRaised) as caught:
        check(student.f(1.0), expect=1.0, instead={RecursionError: misconceptions.NOTHING_RETURNED})
    assert caught.value.misconception is misconceptions.NOTHING_RETURNED


def test_printing_instead_of_returning_is_named():
    assert "[nothing-returned]" in message(check, notebook("def f(x): print(x)").f(1.0), expect=1.0)


def test_an_object_instead_of_a_number_is_named():
    student = notebook("class Value: pass\ndef f(x): return Value()")
    assert "[answer-is-an-object]" in message(check, student.f(1.0), expect=1.0)


def test_exponential_work_is_stopped_by_a_budget_of_calls_not_by_a_clock():
    student = notebook("def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)")
    answer = student.run("return fib(n)", n=60, label="fib(60)", max_calls=10_000)
    with pytest.raises(BudgetExceeded, match="more than 10000 calls"):
        check(answer, expect=1, instead={BudgetExceeded: fan_out.FAN_OUT_OVERWRITTEN})
    check(student.run("return fib(n)", n=10, max_calls=10_000), expect=55)


def test_a_budget_is_not_lost_while_a_generator_is_being_closed():
    student = notebook(
        "def spin(n):\n    for _ in range(n):\n        all(False for _ in range(3))\n"
        "def walk(n):\n    yield n\n    yield from walk(n + 1)"
    )
    for budget in range(50, 60):
        with pytest.raises(BudgetExceeded):
            check(student.run("return spin(n)", "spin", budget, n=2000), expect=None)
        with pytest.raises(BudgetExceeded):
            check(student.run("return sum(walk(0))", "walk", budget), expect=None)


def test_a_student_cannot_change_the_tests_inputs():
    given = [1.0, 2.0]
    student = notebook("def f(x):\n    x.append(9.0)\n    return len(x)")
    check(student.f(given), expect=3)
    assert given == [1.0, 2.0]


def test_run_leaves_no_name_behind_in_the_students_notebook():
    namespace: dict = {"a": 1.0}
    check(Student(Local(namespace)).run("b = a + x\nreturn b", x=2.0), expect=3.0)
    assert set(namespace) - {"__builtins__"} == {"a"}


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ((1.0, 2.0), [1, 2]),
        (3.0, np.float32(3)),
        (3, 3.0),
        ([1.0, 2.0], np.array([1.0, 2.0])),
        (0.1 + 0.2, 0.3),
        (float("nan"), float("nan")),
        ({"a": 1}, {"a": 1.0}),
        (1e300, 1e300 * (1 + 1e-12)),
        (float("inf"), float("inf")),
    ],
)
def test_the_value_counts_not_its_type(expected, got):
    assert same(expected, plain(got))


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (3.0, "3.0"),
        (3.0, (3.0,)),
        ((1.0, 2.0), (1.0, 2.0, 3.0)),
        (1.0, None),
        (0.0, float("nan")),
        (float("inf"), 1e308),
        (10**12, 10**12 + 1),
        ([1.0, 2.0], np.array([[1.0, 2.0]])),
    ],
)
def test_a_different_value_is_not_the_same(expected, got):
    assert not same(expected, plain(got))


def test_no_method_of_a_students_class_is_asked_what_the_answer_is():
    class Float(float):
        def __eq__(self, other):
            return True

        def __sub__(self, other):
            return 0.0

        __hash__ = float.__hash__

    assert type(plain(Float(2.0))) is float and not same(3.0, plain(Float(2.0)))
    with pytest.raises(NotPlain):
        plain(Liar())


def test_cyclic_data_is_refused_instead_of_followed():
    loop: list = []
    loop.append(loop)
    with pytest.raises(NotPlain):
        plain(loop)


def test_function_names_a_rule_only_when_it_explains_every_failure():
    rules = {fan_out.FAN_OUT_OVERWRITTEN: lambda a, b: a + b, misconceptions.NOTHING_RETURNED: lambda a, b: a - b}
    inputs = [(1.0, 0.0), (2.0, 3.0), (4.0, 5.0)]
    subtracts = notebook("def f(a, b): return a - b")
    text = message(check.function, subtracts.f, on=inputs, like=lambda a, b: a * b, wrong=rules)
    assert "[nothing-returned]" in text and "3 of 3 inputs fail" in text
    mixed = notebook("def f(a, b): return a - b if a > 3 else a + b")
    assert "[" not in message(check.function, mixed.f, on=inputs, like=lambda a, b: a * b, wrong=rules)


def test_function_judges_where_several_answers_are_right():
    def like(a, b):
        return (lambda got: sorted(got) == [a, b] or f"{a} and {b} belong in it") if a < b else Raised(ValueError)

    inputs = [(1, 2), (4, 3)]
    both = notebook("def f(a, b):\n    if a > b: raise ValueError\n    return [b, a]")
    check.function(both.f, on=inputs, like=like)
    wrong = {misconceptions.NOTHING_RETURNED: lambda a, b: (lambda got: got == [a]) if a < b else Raised(ValueError)}
    text = message(check.function, notebook("def f(a, b): return [a][:b - a]").f, on=inputs, like=like, wrong=wrong)
    assert "1 and 2 belong in it" in text and "2 of 2 inputs fail" in text and "[" + "nothing" not in text


def test_accept_says_in_words_what_is_wrong():
    answer = notebook("def order(): return ['y', 'x']").order()
    text = message(check, answer, accept=lambda got: got == ["x", "y"] or "x has to come before y")
    assert "x has to come before y" in text
    with pytest.raises(WrongAnswer):
        check(answer, accept=lambda got: False)


def test_a_choice_is_compared_without_showing_the_right_one():
    student = notebook("right = ' B '\nwrong = 'c'\nnothing = None\nnumber = 15")
    mark, wrong = seal("00/quiz", "b"), seal("00/quiz", "c")
    check.choice(student.get("right"), "00/quiz", form="a letter", right=mark)
    check.choice(student.get("number"), "00/n", form="a number", right=seal("00/n", 15.0))
    with pytest.raises(WrongAnswer) as caught:
        check.choice(
            student.get("wrong"), "00/quiz", form="a letter", right=mark, instead={wrong: fan_out.FAN_OUT_OVERWRITTEN}
        )
    assert caught.value.misconception is fan_out.FAN_OUT_OVERWRITTEN and "'b'" not in str(caught.value)
    for name in ("nothing", "absent"):
        with pytest.raises(NotStarted):
            check.choice(student.get(name), "00/quiz", form="a letter", right=mark)


def test_every_misconception_has_its_own_code_and_constant():
    modules = [misconceptions, *(vars(units)[unit.name] for unit in pkgutil.iter_modules(units.__path__))]
    entries = {id(entry): entry for m in modules for entry in vars(m).values() if isinstance(entry, Misconception)}
    assert len(catalogue()) == len(entries) > 200
    for code, entry in catalogue().items():
        assert code == entry.code and id(entry) in entries
        assert {vars(m).get(code.upper().replace("-", "_"), entry) for m in modules} == {entry}
        assert len(entry.name) < 80 and entry.explanation.endswith(".")


def test_an_interrupt_is_not_an_answer():
    with pytest.raises(KeyboardInterrupt):
        notebook("def f(): raise KeyboardInterrupt").f()


def test_exit_in_an_answer_is_an_error_of_that_answer_only():
    with pytest.raises(AnswerRaised, match="SystemExit"):
        check(notebook("def f(): raise SystemExit(0)").f(), expect=1)


def test_a_print_for_every_node_costs_no_points_and_shows_a_beginning(capsys):
    student = notebook("def sweep(n):\n    for i in range(n):\n        print('at node', i)\n    return n")
    check(student.run("return sweep(n)", n=50_000, max_calls=100), expect=50_000)
    told = capsys.readouterr().out
    assert told.startswith("at node 0\nat node 1\n") and len(told) < 10_200
    assert "[The rest of what your code prints is not shown.]" in told


def test_a_count_only_refuses_and_last_digits_show_what_it_does_not_see():
    right = unit.chain_adjoints
    draw = random.Random(5)
    numbers = [draw.choice((-1, 1)) * draw.uniform(0.8, 1.25) for _ in range(300)]
    start = "import math, numpy\nfrom decimal import Decimal\nfrom fractions import Fraction\n"
    sweep = "    f = [{1}]\n    for p in reversed({0}):\n        f.append(f[-1] * p)\n    return f[::-1]"
    products = "    return [math.prod({0}[i:]) for i in range(len({0}) + 1)]"
    array = "numpy.append(numpy.array(p, numpy.{0}), 1)[::-1]"
    asked = {"like": right, "multiplications": 602, "rounded": unit.is_one_sweep, "otherwise": unit.PRODUCT_RESTARTED}
    for body in (
        sweep.format("p", "1.0"),
        sweep.format("[float(x) for x in p]", "1"),
        sweep.format("list(map(Fraction, p))", "Fraction(1)"),
        "    return numpy.cumprod(" + array.format("float64") + ")[::-1]",
        "    return numpy.cumprod(" + array.format("longdouble") + ")[::-1]",
    ):
        check.counts(notebook(start + "def f(p):\n" + body).f, numbers, **asked)
    sets_it = "    type(p[0]).__mul__.__closure__[0].cell_contents = 300\n    p = [float(x) for x in p]\n"
    for body in (
        products.format("p"),
        "    p = [float(x) for x in p]\n" + products.format("p"),
        sets_it + products.format("p"),
        "    return [float(numpy.prod(numpy.array(p[i:]))) for i in range(len(p) + 1)]",
    ):
        with pytest.raises(WrongAnswer) as caught:
            check.counts(notebook(start + "def f(p):\n" + body).f, numbers, **asked)
        assert caught.value.misconception is unit.PRODUCT_RESTARTED
    with pytest.raises(WrongAnswer) as caught:
        check.counts(notebook("def f(p): return [0.0] * 301").f, numbers, **asked)
    assert caught.value.misconception is None, "an answer that is wrong has not done the work"


def test_what_arguments_are_afterwards_comes_back_with_every_call():
    student = notebook("def f(p):\n    return [p.pop() for _ in p[:]]\ndef g(p):\n    return p[::-1]\n")
    assert student.f([1.0, 2.0]).left == ([],) and student.g([1.0, 2.0]).left == ([1.0, 2.0],)
    check.leaves_alone(student.g, [1.0, 2.0], otherwise=[unit.GIVEN_LIST_CHANGED])
    with pytest.raises(WrongAnswer, match=r"what f\(\[1.0, 2.0\]\) was given") as caught:
        check.leaves_alone(student.f, [1.0, 2.0], otherwise=[unit.GIVEN_LIST_CHANGED])
    assert caught.value.misconception is unit.GIVEN_LIST_CHANGED
    puts_a_generator = notebook("def f(p):\n    p.append(x for x in p)\n    return 1\n")
    with pytest.raises(WrongAnswer, match="something of type generator"):
        check.leaves_alone(puts_a_generator.f, [], otherwise=[unit.GIVEN_LIST_CHANGED])


def test_an_error_may_be_the_right_answer():
    student = notebook("def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return 1 / x\n")
    check(student.f(-1), expect=Raised(ValueError))
    check(student.f(-1), expect=Raised(ValueError, "neg"))
    with pytest.raises(WrongAnswer, match=r"expected  ValueError\n  got       0\.5, and no error"):
        check(student.f(2.0), expect=Raised(ValueError))
    with pytest.raises(AnswerRaised, match="ZeroDivisionError"):
        check(student.f(0), expect=Raised(ValueError))


def test_an_error_has_a_name_only_where_its_text_and_line_fit():
    student = notebook_with_lines("def f(x):\n    p = None\n    return x - p if x else len(x)\n")
    rules = [(Raised(TypeError, says="NoneType", line="x - p"), unit.SEED_MISSING)]
    with pytest.raises(AnswerRaised) as caught:
        check(student.f(1.0), expect=0, instead=rules)
    assert caught.value.misconception is unit.SEED_MISSING
    with pytest.raises(AnswerRaised) as caught:
        check(student.f(0.0), expect=0, instead=rules)
    assert caught.value.misconception is None


def test_a_key_that_is_missing_in_the_answer_is_told_in_words():
    text = message(check, notebook("def spots(): return {}").run("return spots()['A']", label="spots()['A']"), expect=1)
    assert "There is no entry 'A' in what your code returned." in text and "KeyError" not in text


def test_an_interrupted_answer_says_where_it_was_and_what_to_look_for():
    student = notebook_with_lines("def f():\n    while True:\n        raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt, match=r"line 3 of f: raise KeyboardInterrupt\n.*never have ended"):
        student.f()


def test_a_rule_has_to_give_the_right_answer_where_the_student_does():
    student = notebook("def f(x): return abs(x)")
    text = message(
        check.function,
        student.f,
        on=[2.0, (-3.0,)],
        like=lambda x: x,
        wrong={local_derivatives.SUBTRACTION_SIGN: lambda x: -x},
    )
    assert "[" not in text


def test_what_else_would_fit_is_kept_for_whoever_writes_tests():
    subtracts = notebook("def f(a, b): return a - b").f
    rules = {
        unit.SEED_MISSING: lambda a, b: a + b,
        unit.SEED_NOT_ONE: lambda a, b: a - b,
        unit.LEAF_NOT_REACHED: lambda a, b: lambda got: True,
    }
    with pytest.raises(WrongAnswer) as caught:
        check.function(subtracts, on=[(3.0, 1.0), (2.0, 5.0)], like=lambda a, b: a * b, wrong=rules)
    assert (caught.value.misconception, caught.value.also) == (unit.SEED_NOT_ONE, (unit.LEAF_NOT_REACHED,))
    with pytest.raises(WrongAnswer) as caught:
        check(subtracts(3.0, 1.0), expect=0.0, instead=[(2.0, unit.SEED_MISSING)])
    assert (caught.value.misconception, caught.value.also) == (unit.SEED_MISSING, ())


def test_a_rule_that_gives_three_dots_says_nothing_about_that_input():
    answers = notebook("def f(x): return -x if x else 1 / x")
    wrong = {local_derivatives.SUBTRACTION_SIGN: lambda x: -x if x else ...}
    with pytest.raises(CheckFailed) as caught:
        check.function(answers.f, on=[2.0, 0.0, 3.0], like=lambda x: x, wrong=wrong)
    assert caught.value.misconception == local_derivatives.SUBTRACTION_SIGN
    with pytest.raises(CheckFailed) as caught:
        check.function(
            answers.f, on=[2.0, 0.0, 3.0], like=lambda x: x, wrong={local_derivatives.SUBTRACTION_SIGN: lambda x: -x}
        )
    assert caught.value.misconception is None
    with pytest.raises(CheckFailed) as caught:  # silent wherever the answer is wrong
        check.function(answers.f, on=[2.0], like=lambda x: x, wrong={local_derivatives.SUBTRACTION_SIGN: lambda x: ...})
    assert caught.value.misconception is None
