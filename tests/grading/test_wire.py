"""What crosses between a test and a student's process comes back as it went, and nothing else gets through."""

import math
import sys
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autodiff_lab.checks import bridge, wire
from autodiff_lab.checks.plain import NotPlain, plain, same
from autodiff_lab.checks.remote import Remote
from autodiff_lab.checks.student import Local, Student

KEYS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)
NUMBERS = st.integers() | st.floats() | st.complex_numbers() | st.just(...)
ARRAYS = arrays.arrays(
    st.sampled_from(["f8", "f4", "f2", "i8", "u1", "?", "c16", ">f8"]),
    arrays.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3),
)
DATA = st.recursive(
    KEYS | NUMBERS | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.sets(KEYS, max_size=4)
    ),
    max_leaves=12,
)


def alike(left: Any, right: Any) -> bool:
    """Equal in value and in type, all the way down; NaN is NaN, and -0.0 is not 0.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, dict):
        return alike([*left], [*right]) and alike([*left.values()], [*right.values()])
    if isinstance(left, float):
        return repr(left) == repr(right)
    return (isinstance(left, set | frozenset) and left == right) or repr(left) == repr(right)


@given(DATA)
@settings(max_examples=300, deadline=None)
def test_plain_data_comes_back_as_it_went(value: Any) -> None:
    value = plain(value)
    text = wire.dumps(value)
    assert "\n" not in text
    assert alike(wire.loads(text), value)
    assert alike(wire.loads(text.encode()), value)


def test_subclasses_and_numpy_numbers_arrive_as_what_they_are_worth() -> None:
    class Liar(float):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = float.__hash__

    assert not same(3.0, wire.loads(wire.dumps(Liar(2.0))))
    assert type(wire.loads(wire.dumps(np.float32(1.5)))) is float
    assert wire.loads(wire.dumps(np.array(7))) == 7
    assert same([1.5, None], wire.loads(wire.dumps([np.longdouble(1.5), np.array([None])[0]])))


@pytest.mark.parametrize(
    "value", [object(), lambda: 1, [print], {1: object}, np.array([print]), np.array(["2026-01-01"], "M8[D]")]
)
def test_what_is_no_plain_data_is_never_sent(value: Any) -> None:
    with pytest.raises(NotPlain):
        wire.dumps(value)


BAD = {
    "no JSON": "[1",
    "two texts": "1 2",
    "nothing": "",
    "NaN": "NaN",
    "infinity": "[-Infinity]",
    "a number too large": "1e999",
    "digits without end": "9" * 5000,
    "deep": "[" * 100_000,
    "deep and closed": "[" * 5000 + "]" * 5000,
    "deep tuples": '{"t":[' * 300 + "]}" * 300,
    "an unknown kind": '{"x":1}',
    "two kinds": '{"t":[],"s":[]}',
    "no kind": "{}",
    "a tuple that is none": '{"t":"ab"}',
    "pairs that are texts": '{"d":["ab"]}',
    "pairs of three": '{"d":[[1,2,3]]}',
    "a list as a key": '{"d":[[[1],2]]}',
    "a list in a set": '{"s":[[1]]}',
    "an integer that is none": '{"i":"0x"}',
    "an integer that is a number": '{"i":7}',
    "a float that is none": '{"f":"1.0"}',
    "a complex number of integers": '{"c":[1,2]}',
    "a complex number of three": '{"c":[1.0,2.0,3.0]}',
    "no base64": '{"b":"?"}',
    "letters that are no base64": '{"b":"\u00e9"}',
    "an array of objects": '{"a":["|O",[1],"AAAAAAAAAAA="]}',
    "an array of records": '{"a":[[["x","<f8"]],[1],"AAAAAAAAAAA="]}',
    "an array too short": '{"a":["<f8",[2],"AAAAAAAAAAA="]}',
    "an array with less than nothing": '{"a":["<f8",[-1],""]}',
    "an array of endless size": '{"a":["<f8",[4611686018427387904,4611686018427387904,0],""]}',
    "an array of many axes": '{"a":["|u1",' + str([1] * 65).replace(" ", "") + ',"AA=="]}',
    "an array of true size": '{"a":["<f8",[true],"AAAAAAAAAAA="]}',
    "no UTF-8": b'"\xff"',
    "UTF-16": '"x"'.encode("utf-16"),
    "too many elements": "[" + "0," * 1_000_000 + "0]",
    "too many bytes": '"' + "x" * wire.MAX_BYTES + '"',
}


@pytest.mark.parametrize("name", BAD)
def test_any_other_text_is_refused(name: str) -> None:
    with pytest.raises(wire.WireError):
        wire.loads(BAD[name])


@given(st.text() | st.binary())
def test_no_text_does_anything_but_be_data_or_be_refused(text: str | bytes) -> None:
    try:
        wire.loads(text)
    except wire.WireError:
        return


@pytest.mark.parametrize("form", ['{"s":[%s]}', '{"d":[%s]}', '{"z":[%s]}'])
def test_keys_that_collide_are_refused_before_they_cost_time(form: str) -> None:
    """A hundred thousand of them would take a table minutes."""
    modulus = sys.hash_info.modulus
    keys = (f'{{"i":"{modulus * number:#x}"}}' for number in range(1, 100_000))
    body = ",".join(f"[{key},0]" if "d" in form else key for key in keys)
    before = time.process_time()
    with pytest.raises(wire.WireError, match="collide"):
        wire.loads(form % body)
    assert time.process_time() - before < 20


def test_many_honest_keys_are_no_attack() -> None:
    value = {(number, str(number)): -float(number) for number in range(20_000)}
    assert wire.loads(wire.dumps(value)) == value


# ---------------------------------------------------------------- both ends, without a process between


class ByText:
    """Local names behind the wire: every question and every answer becomes text in between."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.local = Local(namespace)

    def __call__(self, question: dict[str, Any]) -> Any:
        return wire.loads(bridge.reply(self.local, wire.loads(wire.dumps(question))))


def student_with(**names: Any) -> Student:
    return Student(Remote(ByText(names)))


def test_a_question_by_text_gives_what_a_local_one_gives() -> None:
    asked = student_with(double=lambda x: 2 * x, value=5)
    assert asked.double(3.0).value == 6.0
    assert asked.get("value").value == 5
    assert asked.run("return [double(x) for x in numbers]", numbers=(1, 2)).value == [2, 4]
    assert asked.nothing(1).failure.kinds[0] == "Missing"
    assert asked.run("return double").failure.kinds[0] == "NotPlain"
    assert asked.run("while True: double(1)", max_calls=100).failure.kinds[0] == "TooManyCalls"


class Hidden(Exception):
    def __str__(self) -> str:
        raise self


def raises(error: BaseException) -> Any:
    def stops(*_: Any) -> None:
        raise error

    return stops


@pytest.mark.parametrize(
    "error", [Hidden(), KeyboardInterrupt(), SystemExit(3), GeneratorExit(), type("", (Exception,), {})("x")]
)
def test_whatever_is_raised_is_a_failure_and_ends_nothing(error: BaseException) -> None:
    answer = student_with(stops=raises(error)).stops(1)
    assert answer.failure is not None
    assert answer.failure.kinds[0] == type(error).__name__


FORGED = [
    None,
    [],
    {},
    "value",
    {"failure": None},
    {"failure": []},
    {"failure": [[], "", ""]},
    {"failure": [[1], "", ""]},
    {"failure": [["E"], 1, ""]},
    {"failure": [["E"], "", "", ""]},
]


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_answer_is_a_bad_one(forged: Any) -> None:
    answer = Student(Remote(lambda question: forged)).double(1)
    assert answer.failure is not None and answer.failure.kinds[0] == "BadReply"


def test_a_failures_text_is_cut() -> None:
    forged = {"failure": [["E" * 10_000] * 1000, "m" * 10**6, "l" * 10**6]}
    failure = Student(Remote(lambda question: forged)).double(1).failure
    assert failure is not None
    assert len(failure.kinds) <= 20 and len(failure.kinds[0]) <= 100
    assert len(failure.message) <= 1000 and len(failure.line) <= 300


def test_numbers_keep_every_digit() -> None:
    values = [0.1, 1e-310, math.pi, -0.0, 2**53 + 1, -(2**200), 5e-324]
    assert list(map(repr, student_with(same=lambda x: x).same(values).value)) == list(map(repr, values))
