"""The verbs of test cells: each passes a right answer, refuses a wrong one, and names one cause or none."""

import pytest

from autodiff_lab.checks import AnswerRaised, CheckFailed, WrongAnswer, check
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.units import graphs, welcome

from .test_check import notebook

A, B = graphs.CACHE_OUTLIVES_THE_CALL, graphs.RECURSION_TOO_DEEP


def refused(verb, *given, **options) -> tuple[str, Misconception | None]:
    with pytest.raises(CheckFailed) as caught:
        verb(*given, **options)
    return str(caught.value), caught.value.misconception


def test_a_call_that_is_repeated_has_to_give_the_same():
    check.repeats(notebook("def f(x): return [x, float('nan')]").f, 2.0, otherwise=A)
    grows = notebook("def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)").f
    text, named = refused(check.repeats, grows, 2.0, otherwise=A)
    assert "f(2.0), asked again: not yet" in text and "got       2" in text and "it was 1 a moment ago" in text
    assert named is A


def test_a_repeated_call_that_stops_the_second_time_tells_the_error_and_names_nothing():
    once = notebook("def f(x, left=[1]):\n    return left.pop()").f
    text, named = refused(check.repeats, once, 2.0, otherwise=A)
    assert "pop from empty list" in text and named is None


def test_one_misconception_may_stand_for_every_argument_that_is_changed():
    adds = notebook("def f(a, b):\n    b['k'] = 1\n    return 0").f
    check.leaves_alone(notebook("def f(a, b): return 0").f, [1], {"k": 2}, otherwise=A)
    assert refused(check.leaves_alone, adds, [1], {"k": 2}, otherwise=A)[1] is A


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("return n if n == 0 else f(n - 1) + 1", B),
        ("return [n][n]", None),
        ("return n + 1", None),
    ],
)
def test_only_a_recursion_that_is_too_deep_is_named_one(body, named):
    check.goes_deep(notebook("def f(n): return n").f, 20_000, like=lambda n: n, recurses=B)
    assert refused(check.goes_deep, notebook(f"def f(n): {body}").f, 20_000, like=lambda n: n, recurses=B)[1] is named


def test_a_search_that_uses_up_its_budget_has_a_name_of_its_own():
    student = notebook("def g(i): return i\ndef f(n): return sum(g(i) for _ in range(n) for i in range(n)) * 0 + n")

    def ask(n):
        return student.run("return f(n)", n=n, max_calls=10_000, label="f(n)")

    check.goes_deep(ask, 10, like=lambda n: n, recurses=B, searches=A)
    assert refused(check.goes_deep, ask, 300, like=lambda n: n, recurses=B, searches=A)[1] is A


class TestExpressions:
    def values(self, source):
        student = notebook(source)

        def ask(text):
            return lambda x, w: student.run(f"x, w = V(x), V(w)\nreturn ({text}).data", x=x, w=w, label=text)

        def like(text):
            return lambda x, w: eval(text, {"x": x, "w": w})

        return check.expressions(ask, like=like, on=[(6.0, 2.0), (-1.5, 4.0)])

    V = (
        "class V:\n    def __init__(self, data): self.data = data\n"
        "    def __add__(self, o): return V(self.data + o.data)\n"
        "    def __sub__(self, o): return V({})\n"
    )

    def test_right_ones_pass(self):
        self.values(self.V.format("self.data - o.data"))("x + w", "x - w", "(x - w) - x")

    def test_the_wrong_one_is_shown_and_named_by_its_own_rules(self):
        values = self.values(self.V.format("o.data - self.data"))
        wrong = {graphs.GRAPH_OPERANDS_SWAPPED: lambda x, w: w - x}
        text, named = refused(values, "x + w", "x - w", wrong=wrong)
        assert text.startswith("x - w") and named is graphs.GRAPH_OPERANDS_SWAPPED
        by_text = lambda text: wrong if text == "x - w" else {}  # noqa: E731
        assert refused(values, "x + w", "x - w", wrong=by_text)[1] is graphs.GRAPH_OPERANDS_SWAPPED
        assert refused(values, "x - w", wrong=lambda text: {})[1] is None


class TestFlags:
    EXPECT = {"leaf + leaf": True, "leaf + constant": True, "constant + constant": False}  # noqa: RUF012

    def ask(self, answer):
        student = notebook(f"def f(keys): return {answer}")
        return lambda keys: student.f(keys)

    def test_right_ones_pass_also_as_numbers(self):
        check.flags(self.ask("[1, True, 0]"), self.EXPECT, missing=A, surplus=B)

    @pytest.mark.parametrize(
        ("answer", "named"),
        [
            ("[True, False, False]", A),
            ("[False, False, False]", A),
            ("[True, True, True]", B),
            ("[True, False, True]", None),
            ("[True, True]", None),
            ("[True, True, 'no']", None),
            ("None", "nothing-returned"),
        ],
    )
    def test_wrong_ones_have_a_name_where_there_is_one_direction(self, answer, named):
        found = refused(check.flags, self.ask(answer), self.EXPECT, missing=A, surplus=B)[1]
        assert (found and found.code) == (named if isinstance(named, str) else named and named.code)


def test_a_single_argument_needs_no_tuple():
    check.function(notebook("def f(p): return len(p)").f, on=[[1, 2], [], ([3],)], like=len)
    text, named = refused(
        check.function,
        notebook("def f(p): return len(p) or 1").f,
        on=[[1], []],
        like=len,
        wrong={welcome.EMPTY_INPUT_FORGOTTEN: lambda p: lambda got: not p},
    )
    assert "f([])" in text and "1 of 2 inputs fail" in text and named is welcome.EMPTY_INPUT_FORGOTTEN


def test_a_verb_says_of_an_error_what_any_check_says():
    stops = notebook("def f(x): raise KeyError('k')").f
    for verb, options in ((check.repeats, {"otherwise": A}), (check.leaves_alone, {"otherwise": A})):
        with pytest.raises((AnswerRaised, WrongAnswer), match="k"):
            verb(stops, 1.0, **options)


def test_a_call_that_stops_the_first_time_only_is_not_right():
    later = notebook("def f(x, seen=[]):\n    seen.append(x)\n    return 1 / (len(seen) - 1)").f
    text, named = refused(check.repeats, later, 2.0, otherwise=A)
    assert "ZeroDivisionError" in text and named is None
