"""Words are defined where the glossary says, and no unit's text uses one before."""

import re
from pathlib import Path

import pytest

COURSE = Path(__file__).resolve().parents[2] / "course"
ROW = re.compile(r"^\| (?P<words>[^|]+) \| (?P<unit>\d\d_\w+) \| (?P<section>[^|]+) \| (?P<meaning>[^|]+) \|$", re.M)
ROWS = [match.groupdict() for match in ROW.finditer((COURSE / "GLOSSARY.md").read_text(encoding="utf-8"))]


def prose(unit: str) -> str:
    """What a student reads in a unit's markdown cells, headings included, without code, links and model answers."""
    source = (COURSE / "source" / unit / f"{unit}.py").read_text(encoding="utf-8")
    cells = [cell for cell in re.split(r"(?m)^# %%", source) if cell.lstrip().startswith("[markdown]")]
    text = "\n".join(line[2:] for cell in cells for line in cell.splitlines()[1:])
    text = re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", " ", text, flags=re.S)
    return re.sub(r"(?s)\*\*(Next|Model answer)[:.].*?(?=\n\n|\Z)", " ", text)


def uses(word: str, text: str) -> list[str]:
    """The lines of a text that have a word or its plural."""
    plural = word if word.endswith("s") else f"{word}s?"
    lines = [line for line in text.splitlines() if not re.search(r"^# |\bunit \d\d\b", line)]  # titles, and what comes
    return [line for line in lines if re.search(rf"(?i)(?<![\w-]){plural}(?![\w-])", line)]


def split_at(row: dict[str, str]) -> tuple[str, str]:
    """A unit's text before the section in which a word is defined, and that section; "opening" is what comes first."""
    text = prose(row["unit"])
    if row["section"] == "opening":
        return "", re.split(r"\n## ", text)[0]
    found = re.search(rf"(?m)^##+ {re.escape(row['section'])}$", text)
    assert found, f"unit {row['unit']} has no section {row['section']!r}"
    return text[: found.start()], re.split(r"\n## ", text[found.end() :])[0]


def before(row: dict[str, str]) -> str:
    """The text of all units before the section in which a word is defined."""
    units = sorted(path.name for path in (COURSE / "source").iterdir() if path.is_dir())
    return "\n".join([*(prose(unit) for unit in units[: units.index(row["unit"])]), split_at(row)[0]])


def test_the_glossary_is_there() -> None:
    assert len(ROWS) >= 15 and all(row["meaning"].strip() for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["words"])
def test_a_word_is_defined_in_its_section(row: dict[str, str]) -> None:
    word = row["words"].split(",")[0]
    own = split_at(row)[1].replace("\n", " ")
    assert re.search(rf"(?i)\*\*[^*]*\b{word}s?\b[^*]*\*\*", own), f"{word}: not set in bold there"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["words"])
def test_no_text_uses_a_word_before_it_is_defined(row: dict[str, str]) -> None:
    for word in row["words"].split(", "):
        assert uses(word, before(row)) == [], word


def test_a_word_that_comes_too_early_is_found() -> None:
    assert uses("leaf", "a leaf-like\nThe Leafs\nleaflet") == ["The Leafs"]
    row = {"unit": "03_backward_sweep", "section": "The adjoint", "words": "chain"}
    assert uses("chain", before(row)), "the first section speaks of a chain"
