"""Right and wrong answers of unit 00: the classes of their inputs, and one name for one mistake."""

import linecache
import re
from pathlib import Path

import pytest

from autodiff_lab.checks import Answer, CheckFailed, Raised, check
from autodiff_lab.checks.plain import same
from autodiff_lab.checks.student import Local, Student
from autodiff_lab.units import welcome as unit

EXERCISES = {
    "expression": (unit.PAIRS, unit.expression, unit.EXPRESSION),
    "squares": (unit.LISTS, unit.squares, unit.SQUARES),
    "mean": (unit.LISTS, unit.mean, unit.MEAN),
    "nearly_equal": (unit.CLOSE, unit.is_close, unit.NEARLY_EQUAL),
}


def signs(given) -> list[int]:
    return [(number > 0) - (number < 0) for number in given]


def notebook(source: str) -> Student:
    """A student's notebook that holds ``source``, whose lines a message can quote."""
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    namespace: dict = {}
    exec(compile(source, "<cell>", "exec"), namespace)
    return Student(Local(namespace))


def named(function, *args, **kwargs) -> str | None:
    """The code of the misconception that a check names; fails when the check passes."""
    with pytest.raises(CheckFailed) as caught:
        function(*args, **kwargs)
    return caught.value.misconception and caught.value.misconception.code


@pytest.mark.parametrize("classes", [unit.PAIRS, unit.LISTS, unit.CLOSE])
def test_drawn_inputs_are_new_and_of_the_same_classes(classes):
    drawn = unit.drawn(classes, seed=1, times=3)
    assert len(drawn) == 3 * len(classes)
    for place, given in enumerate(classes.values()):
        for again in drawn[3 * place : 3 * place + 3]:
            assert type(again) is type(given) and list(map(type, again)) == list(map(type, given))
            assert signs(again) == signs(given) and (again != given or not any(given))
            assert [again.index(number) for number in again] == [given.index(number) for number in given]
            assert classes is not unit.CLOSE or unit.is_close(*again) == unit.is_close(*given)
    assert drawn == unit.drawn(classes, seed=1, times=3) != unit.drawn(classes, seed=2, times=3)


def followed(rule, classes) -> list:
    """What a rule gives for each input, or the error that it stops with."""
    found = []
    for given in classes.values():
        try:
            found.append(rule(*(given if isinstance(given, tuple) else (given,))))
        except ZeroDivisionError as error:
            found.append(error)
    return found


RULES = [
    pytest.param(exercise, known, rule, id=f"{exercise}-{known.code}-{place}")
    for exercise, (classes, _, rules) in EXERCISES.items()
    for known, several in rules.items()
    for place, rule in enumerate(several if isinstance(several, tuple) else (several,))
    if callable(rule) and not any(isinstance(one, Raised) or callable(one) for one in followed(rule, classes))
]


@pytest.mark.parametrize(("exercise", "known", "rule"), RULES)
def test_whoever_follows_a_rule_is_refused_and_told_its_name_and_no_other(exercise, known, rule):
    """Rules of errors, and those that judge what came, are left to the answers of the bank."""
    classes, right, rules = EXERCISES[exercise]
    told = iter(followed(rule, classes))

    def ask(*given):
        found = next(told)
        if isinstance(found, Exception):
            return Answer(exercise, exercise, failure=Local().failure(found))
        return Answer(exercise, exercise, data=found)

    assert named(check.function, ask, on=classes.values(), like=right, wrong=rules, tolerance=1e-12) == known.code


@pytest.mark.parametrize(
    ("exercise", "code", "misconception"),
    [
        ("expression", "def expression(x, y):\n    return (x + y)(y)", "multiplication-sign-missing"),
        ("expression", "def expression(x, y):\n    return y(x + y)", "multiplication-sign-missing"),
        ("expression", "def expression(x, y):\n    return None + y", None),
        ("expression", "def expression():\n    return 15.0", "parameters-of-its-own"),
        ("expression", "def expression(x, y, z):\n    return (x + y) * z", "parameters-of-its-own"),
        ("expression", "def help(x): return x\ndef expression(x, y):\n    return help(x, y)", None),
        ("squares", "def squares(numbers):\n    return numbers ** 2", "list-taken-for-a-number"),
        ("squares", "def squares(numbers):\n    return numbers * numbers", "list-taken-for-a-number"),
        ("squares", "def squares(numbers):\n    return [n ^ 2 for n in numbers]", "power-written-with-caret"),
        ("squares", "def squares(numbers):\n    return [numbers[n] ** 2 for n in numbers]", "number-taken-for-a-place"),
        (
            "squares",
            "def squares(numbers):\n    found = []\n    for i in len(numbers):\n        found += [i]\n    return found",
            "count-taken-for-a-list",
        ),
        ("squares", "def squares(numbers):\n    return [n * n for n in len(numbers)]", "count-taken-for-a-list"),
        (
            "squares",
            "def squares(numbers):\n    return [numbers[i + 1] ** 2 for i in range(len(numbers))]",
            "place-behind-the-end",
        ),
        (
            "squares",
            "def squares(numbers):\n    r = []\n    for n in numbers:\n        r = r.append(n * n)\n    return r",
            "append-returns-nothing",
        ),
        (
            "squares",
            "def squares(numbers):\n    return [numbers[0] ** 2] + squares(numbers[1:])",
            "empty-input-forgotten",
        ),
        (
            "squares",
            "def squares(numbers):\n    r = []\n    for i in range(len(numbers)):\n        r[i] = numbers[i] ** 2",
            "written-behind-the-end",
        ),
        ("squares", "def squares(numbers):\n    return [str(n * n) for n in numbers]", "result-as-text"),
        ("mean", "def mean(numbers):\n    sum = 0\n    return sum(numbers) / len(numbers)", "builtin-shadowed"),
        ("mean", "def mean(numbers):\n    sum = sum(numbers)\n    return sum / len(numbers)", "builtin-shadowed"),
        (
            "mean",
            "def mean(numbers):\n    for n in numbers:\n        total += n\n    return total / len(numbers)",
            "start-value-missing",
        ),
        (
            "mean",
            "def mean(numbers):\n    for n in numbers:\n        total = total + n\n    return total / len(numbers)",
            "start-value-missing",
        ),
        ("mean", "def mean(numbers):\n    return numbers / len(numbers)", "list-taken-for-a-number"),
        ("mean", "def mean(numbers):\n    return sum(numbers) / numbers", "list-taken-for-a-number"),
        ("mean", "def mean(numbers):\n    return total / len(numbers)", None),
        ("nearly_equal", "def nearly_equal(a, b, tolerance):\n    return abs(a, b) <= tolerance", None),
    ],
)
def test_an_error_with_one_cause_is_named(exercise, code, misconception):
    classes, right, rules = EXERCISES[exercise]
    student = notebook(code)
    assert named(check.function, getattr(student, exercise), on=classes.values(), like=right, wrong=rules) == (
        misconception
    )


def test_a_list_that_is_filled_on_is_named_also_when_the_test_runs_again():
    student = notebook(
        "kept = []\ndef squares(numbers):\n    kept.extend(n * n for n in numbers)\n    return list(kept)"
    )
    for _ in range(2):
        assert (
            named(check.function, student.squares, on=unit.LISTS.values(), like=unit.squares, wrong=unit.SQUARES)
            == "result-list-shared"
        )
    longer = notebook("def squares(numbers):\n    return numbers + [n * n for n in numbers]")
    assert (
        named(check.function, longer.squares, on=unit.LISTS.values(), like=unit.squares, wrong=unit.SQUARES) is None
    ), "the given numbers in front are no results of an earlier call"


def test_the_empty_list_is_called_forgotten_where_an_error_or_nothing_comes_and_not_where_it_was_thought_of():
    for body, misconception in [
        ("return sum(numbers) / len(numbers)", "empty-input-forgotten"),
        ("return numbers[0]", "empty-input-forgotten"),
        ("return float('nan')", "empty-input-forgotten"),
        ("if numbers: return 1.0", "nothing-returned"),
        ("return 'empty'", None),
        ("return []", None),
    ]:
        answer = notebook(f"def mean(numbers):\n    {body}").mean([])
        assert named(check, answer, expect=0.0, instead=unit.NOTHING_IN_THE_LIST) == misconception, body


@pytest.mark.parametrize(
    ("code", "ok"),
    [
        ("def squares(numbers):\n    return [n * n for n in numbers]", True),
        ("r = []\ndef squares(numbers):\n    r[:] = [n * n for n in numbers]\n    return r", False),
        (
            "import functools\n@functools.cache\ndef of(*n): return [i * i for i in n]\nsquares = lambda n: of(*n)",
            False,
        ),
        ("def squares(numbers):\n    return tuple(n * n for n in numbers)", True),
    ],
)
def test_results_of_several_calls_stand_side_by_side(code, ok):
    answer = unit.side_by_side(notebook(code).squares)
    assert same(([1.0, 25.0], [4.0], [1.0, 25.0]), answer.data) is ok


TEXT = (Path(__file__).resolve().parents[2] / "course/source/00_welcome/00_welcome.py").read_text(encoding="utf-8")


def answers(after: str) -> str:
    """The folded answers that come next in the text."""
    found = re.search(r"<details><summary>Answers?</summary>(.*?)</details>", TEXT[TEXT.index(after) :], re.S)
    return " ".join(found[1].replace("\n#", "\n").split())


def test_the_answers_about_the_finished_engine_are_what_it_computes():
    from autodiff_lab.widgets import CurveFit

    given: dict = {}
    exec(TEXT[TEXT.index("POINTS = [") : TEXT.index("CurveFit(curve")], given)

    def errors(curve) -> dict[float, float]:
        view = CurveFit(curve, given["POINTS"])
        found = {}
        for hundredth in range(101):
            view.inputs = {"learning rate": hundredth / 100}
            if not view.shown["message"]:
                found[hundredth / 100] = view.errors[-1]
        return found

    cubic, square = errors(given["curve"]), errors(lambda x, a, b, c: a + b * x + c * x**2)
    said = answers("Guess before you look.")
    for rate in (0.0, 0.02, 0.1, 0.5):
        assert f"{cubic[rate]:.4g}" in said
    assert min(cubic, key=cubic.get) == 0.84 and "best at 0.84" in said
    assert max(cubic) == 0.87 and "From 0.88 on" in said
    assert f"below {min(square.values()):.4g}" in said


def test_the_answers_about_slopes_are_what_the_cell_measures():
    said = answers("Set `step = 0.01`")
    for step, start in [(0.01, 1.0), (0.01, 4.0), (0.001, 1.0), (0.001, 4.0), (0.001, 3.0), (0.001, -2.0)]:
        assert f"{((start + step) ** 2 - start**2) / step:.4g}" in said
    assert f"{1.1**2:.4g}" in answers("Start at 1 and make one step") and f"{4.1**2:.4g}" in answers("Start at 1 and")


def test_worked_siblings_give_what_their_text_says():
    made: dict = {}
    for sibling in re.findall(r"<summary>A worked sibling.*?</details>", TEXT, re.S):
        for code in re.findall(r"```python\n(.*?)# ```", sibling, re.S):
            exec(re.sub(r"(?m)^# ?", "", code), made)
    assert made["difference"](6.0, 2.0) == 24.0
    assert made["positive"]([3.0, -2.0, 0.5]) == [3.0, 0.5] and made["positive"]([]) == []
    assert made["largest"]([1.0, 5.0]) == 5.0 and made["largest"]([-3.0]) == made["largest"]([]) == 0
    assert made["outside"](2.0, 2.0, 5.0) is False and made["outside"](1.0, 2.0, 5.0) is True
