"""Answers that are the same when names, comments and spacing do not count."""

from autodiff_lab.grading.alike import Alike, alike, key, normalised

LOOP = '''
def backward(order, seed):
    """Adjoints."""
    table = {order[-1]: seed}  # from the end
    for node in reversed(order):
        for user, factor in node.users:
            table[node] = table.get(node, 0.0) + factor * table[user]
            if table[node] > 1e9:
                raise OverflowError("too large")
    return table
'''
RENAMED = """
def backward(nodes: list, start: float) -> dict:
    # my own work
    adjoints: dict = {nodes[-1]: start}
    for n in reversed(nodes):
        for u, weight in n.users:
            adjoints[n] = adjoints.get(n, 0.0) + weight * adjoints[u]
            if adjoints[n] > 1e9:
                raise OverflowError("too large")

    return adjoints
"""
OTHER = LOOP.replace("factor * table[user]", "table[user] * factor")
WORDS = "the value is used twice and each of its uses sends a contribution of its own back along the edge so we add "


def asked(answers: dict[str, str], known: list[str] | None = None, is_code: bool = True) -> list[Alike]:
    one = ("04_fan_out", "backward")
    return alike({one: {name: (text, is_code) for name, text in answers.items()}}, {one: known or []})


def test_names_comments_annotations_and_spacing_do_not_count() -> None:
    assert normalised(LOOP) == normalised(RENAMED) and key(LOOP) == key(RENAMED)
    assert key(LOOP) != key(OTHER)
    assert key(LOOP) != key(LOOP.replace(".get", ".pop")) and key(LOOP) != key(LOOP.replace("1e9", "1e8"))


def test_swapped_names_are_another_answer() -> None:
    assert key("def f(a, b):\n    return a - b") == key("def f(b, a):\n    return b - a")
    assert key("def f(a, b):\n    return a - b") != key("def f(a, b):\n    return b - a")


def test_students_with_the_same_answer_are_a_group() -> None:
    (group,) = asked({"ann": LOOP, "bob": RENAMED, "eve": OTHER})
    assert (group.students, group.verbatim) == (("ann", "bob"), False)
    (group,) = asked({"ann": LOOP, "bob": LOOP + "\n", "eve": OTHER})
    assert group.verbatim


def test_what_says_nothing_is_left_out() -> None:
    assert asked({"ann": LOOP, "bob": RENAMED}, known=[LOOP]) == []
    short = "def f(x):\n    return 2 * x"
    assert asked({"ann": short, "bob": short}) == []
    class_ = {f"s{number}": LOOP for number in range(8)} | {
        f"t{number}": OTHER + f"\nx = {number}" for number in range(8)
    }
    assert asked(class_) == []
    assert (
        len(asked({name: text for name, text in class_.items() if name in ("s1", "s2", *class_) and name > "s5"})) == 1
    )


def test_texts_are_compared_by_their_words() -> None:
    long = WORDS * 4
    (group,) = asked({"ann": long, "bob": long.upper().replace(" AND ", ",\n and ").replace(",", " ")}, is_code=False)
    assert group.students == ("ann", "bob")
    assert asked({"ann": long, "bob": long + "them"}, is_code=False) == []
    assert asked({"ann": WORDS, "bob": WORDS}, is_code=False) == []


def test_code_that_is_no_python_is_compared_by_its_words() -> None:
    broken = LOOP.replace("return table", "retrun = = table")
    assert len(asked({"ann": broken, "bob": broken.replace("  #", "     #")})) == 1
    assert normalised("(" * 5000) is None and normalised("x = 1\0") is None


def test_those_with_most_in_common_come_first() -> None:
    def unit(name: str, pairs: dict[str, str]) -> dict[tuple[str, str], dict[str, tuple[str, bool]]]:
        return {(name, "e"): {student: (text, True) for student, text in pairs.items()}}

    answers = unit("01", {"a": LOOP, "b": RENAMED, "c": OTHER, "d": OTHER})
    answers |= unit("02", {"c": LOOP, "d": LOOP, "a": OTHER})
    assert [group.students for group in alike(answers, {})] == [("c", "d"), ("c", "d"), ("a", "b")]
