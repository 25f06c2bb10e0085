"""Values of any real type reach the comparison, and the comparison is exact where it says so."""

from array import array
from collections import OrderedDict, deque, namedtuple
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

from autodiff_lab.checks import CheckFailed, WrongAnswer, check, seal, wire
from autodiff_lab.checks.plain import NotPlain, differences, plain, same, show
from autodiff_lab.checks.student import Answer, Local, Student

INF, NAN = float("inf"), float("nan")
Point = namedtuple("Point", "x y")
Level = IntEnum("Level", "LOW HIGH")


class Lying(str):
    """A string that says it is another, and that it equals everything."""

    def __eq__(self, other):
        return True

    def __str__(self):
        return "lie"

    def __iter__(self):
        return iter("lie")

    __hash__ = str.__hash__


class Count(int):
    def __index__(self):
        return 99

    def __add__(self, other):
        return 99


class Ratio(Fraction):
    numerator = denominator = property(lambda self: 99)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (5.0, np.array(5.0)),
        (5.0, np.array(5)),
        ([5.0, 3.0], np.array([5, 3])),
        (2.5, np.longdouble(2.5)),
        ([2.5, 1.0], np.array([2.5, 1.0], np.longdouble)),
        (2.5, np.float16(2.5)),
        ([2.5], np.array([2.5], np.float16)),
        (0.75, Fraction(3, 4)),
        (6, Fraction(12, 2)),
        (0.75, Ratio(3, 4)),
        (0.1, Decimal("0.1")),
        (2**70 + 1, Decimal(2**70 + 1)),
        (INF, Decimal("Infinity")),
        (NAN, Decimal("NaN")),
        (0.0, Decimal("1E-999999")),
        ("ab", np.str_("ab")),
        (["ab", "c"], np.array(["ab", "c"])),
        ([["a"], ["b"]], np.array([["a"], ["b"]])),
        ([0.5, None], np.array([Fraction(1, 2), None], dtype=object)),
        (9.0, 9 + 0j),
        (9.0, np.complex64(9)),
        ([9.0, 1.0], np.array([9 + 0j, 1 + 0j])),
        (True, np.bool_(True)),
        ([True, False], np.array([True, False])),
        ([1, 0], np.array([True, False])),
        (1, True),
        ([0, 1, 2], range(3)),
        (["a", "b"], {"a": 1, "b": 2}.keys()),
        ([1, 2], OrderedDict(a=1, b=2).values()),
        ([("a", 1)], {"a": 1}.items()),
        ([1, 2], deque([1, 2])),
        ([1, 2], array("d", [1, 2])),
        ({"a": 1}, MappingProxyType({"a": 1})),
        (b"ab", bytearray(b"ab")),
        ((1.0, 2.0), Point(1, 2)),
        (2, Level.HIGH),
        (3, Count(3)),
        ({"a", "b"}, ["b", "a"]),
        ({"a", "b"}, frozenset("ab")),
        ("truth", Lying("truth")),
        (-0.0, 0.0),
        ([], np.array([])),
    ],
)
def test_a_value_of_any_real_type_is_right_where_the_value_is(expected, got):
    assert same(expected, plain(got))


def test_torch_tensors_are_values():
    torch = pytest.importorskip("torch")
    assert same(2.5, plain(torch.tensor(2.5, requires_grad=True)))
    assert same([1.0, 2.0], plain(torch.tensor([1.0, 2.0], dtype=torch.bfloat16)))
    assert same([1 - 2j], plain(torch.tensor([1 + 2j]).conj()))
    with pytest.raises(NotPlain, match="sparse"):
        plain(torch.eye(2).to_sparse())


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ([INF, 2.0], np.array([7.0, 2.0])),
        ([7.0, 2.0], np.array([INF, 2.0])),
        (INF, -INF),
        (INF, NAN),
        (INF, 10**400),
        ([0, 0], np.array([-(2**63)] * 2)),
        ([2**63 - 1], np.array([-(2**63)])),
        (np.array([0, 0]), np.array([-(2**63)] * 2)),
        (2**53 + 1, 2**53),
        ([2**53 + 1], np.array([2**53])),
        (10**400, 10**400 + 1),
        (10**400, 1.0),
        ([True, False], np.array([True, True])),
        (True, np.bool_(False)),
        ([[1.0], [2.0, 3.0]], [np.array([1.0]), np.array([2.0, 4.0])]),
        (np.zeros((0, 3)), np.zeros((0, 2))),
        ([], [[]]),
        (complex(NAN, 1.0), complex(NAN, 2.0)),
        (complex(INF, 0.0), complex(7.0, 0.0)),
        (1e308, -1e308),
        ({"a", "b"}, ["a", "b", "b"]),
        ({"a"}, [{}]),
        ("lie", Lying("truth")),
        (99, Count(3)),
        ("3.0", 3.0),
        (1, "1"),
        (0, None),
        (0, ""),
        (0.0, []),
    ],
)
def test_another_value_is_not_the_same_however_large_or_special(expected, got):
    assert not same(expected, plain(got))
    assert not same(plain(got), expected)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ((number for number in [1.0]), "generator, which only promises"),
        (map(abs, [1.0]), "map, which only promises"),
        (abs, "brackets"),
        (object(), "object"),
        ([1.0, object()], "object"),
        (range(10**30), "range of more than 1,000,000 numbers"),
        (np.array(["2026-01-01"], "M8[D]"), "array of datetime64"),
        (Level, "EnumType|EnumMeta"),
    ],
)
def test_what_is_not_plain_data_is_told_with_its_type_and_what_is_expected(value, told):
    namespace = {"answer": lambda: value}
    with pytest.raises(WrongAnswer, match=told) as caught:
        check(Student(Local(namespace)).answer(), expect=[1.0])
    assert "expected  plain data: numbers, strings, lists" in str(caught.value)


@pytest.mark.parametrize("value", [10**100_000, [-(10**5000)], {10**5000: {10**5000}}], ids=["number", "list", "dict"])
def test_an_integer_that_python_does_not_write_is_told_by_its_length(value):
    assert "an integer of about " in show(value) and "digits" in show(value)
    assert seal("salt", value) != seal("salt", 1)
    with pytest.raises(WrongAnswer, match="an integer of about"):
        check(Answer("f()", "f", data=value), accept=lambda got: f"{got}" == "3")
    assert differences({"a": value, "b": 1}, {"a": 1, "b": 1})


@pytest.mark.parametrize("shape", [(10**9, 0), (0, 10**9, 10**9)])
def test_an_array_of_nothing_may_not_be_an_enormous_list(shape):
    with pytest.raises(NotPlain, match="nothing"):
        plain(np.zeros(shape))
    with pytest.raises(wire.WireError):
        wire.loads(f'{{"a":["<f8",{list(shape)},""]}}')
    assert plain(np.zeros((3, 0))).shape == wire.loads(wire.dumps(np.zeros((3, 0)))).shape == (3, 0)


@pytest.mark.parametrize(
    "given", [(5, 3), [5.0, 3.0], np.array([5.0, 3.0]), (Fraction(5), Decimal(3)), (5 + 0j, np.float32(3))]
)
def test_a_prediction_counts_in_any_type_and_an_array_breaks_nothing(given):
    check.choice(
        Student(Local({"both": given})).get("both"), "salt", right=seal("salt", (5, 3)), form="two numbers in brackets"
    )


def test_a_wrong_array_for_a_prediction_is_a_wrong_answer():
    with pytest.raises(WrongAnswer, match="expected  two numbers in brackets"):
        check.choice(Student(Local({"both": np.eye(2)})).get("both"), "salt", right="", form="two numbers in brackets")


def test_two_dicts_are_shown_in_one_order_and_their_differences_by_key():
    expected, got = {"x": 1.0, "y": 2.0, "z": 3.0}, {"z": 3.0, "q": 0.0, "y": 5.0}
    assert show(got, expected) == "{'y': 5.0, 'z': 3.0, 'q': 0.0}"
    assert differences(expected, got) == [
        "'x': expected 1.0, and it is missing",
        "'y': expected 2.0, got 5.0",
        "'q': got 0.0, and it does not belong here",
    ]
    with pytest.raises(CheckFailed) as caught:
        check(Student(Local({"f": lambda: got})).f(), expect=expected)
    assert str(caught.value).splitlines()[3:] == [
        "  differs   'x': expected 1.0, and it is missing",
        "            'y': expected 2.0, got 5.0",
        "            'q': got 0.0, and it does not belong here",
    ]


def test_a_long_list_tells_where_it_differs_and_a_short_one_is_seen_as_a_whole():
    assert differences([0.0] * 9, [0.0] * 8 + [1.0]) == ["[8]: expected 0.0, got 1.0"]
    assert differences([0.0] * 20, [1.0] * 20)[-1] == "and at 15 more places"
    assert differences([0.0, 1.0], [1.0, 1.0]) == []
