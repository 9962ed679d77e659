"""What every result prints: short, in plain words, each number at most twice, and as it is kept here."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from answers.examples import EXAMPLES
from replicast.presentation.renderers.text import MOST_LINES, MOST_WORDS
from replicast.presentation.telling import tell
from replicast.results import Answer

KEPT = Path(__file__).parent / "answers"
EVERY = pytest.mark.parametrize("name", EXAMPLES)
# "of 100" and the year of a paper belong to the words around them
_EVERYWHERE = {"100", "2024", "0", "1"}
JARGON = re.compile(
    r"d'|kappa|sceptical|Edgington|Bayes factor|Iman|discordant|calibrated|s\*|range of chances"
    r"|cannot tell \d|found again|\btold\b(?! apart)|are meant|to make it hold|\bflat\b|docs/",
    re.IGNORECASE,
)


@cache
def result(name: str) -> Answer:
    return EXAMPLES[name]()


def named(name: str) -> str:
    """Return an answer in which the name of a classifier is one word, however long it is."""
    text = str(result(name))
    for long in ("a model with a rather long name", "another one"):
        text = re.sub(r"\s+".join(long.split()), "x", text)
    return text


@EVERY
def test_an_answer_is_short(name: str) -> None:
    assert max(map(len, str(result(name)).splitlines())) <= 80
    lines = named(name).splitlines()
    assert len(lines[0].split()) <= 14
    assert len(lines) <= MOST_LINES == 10
    assert sum(len(line.split()) for line in lines) <= MOST_WORDS == 80
    assert all(line == line.rstrip() for line in lines)


@EVERY
def test_the_last_line_says_what_was_read(name: str) -> None:
    before, _, foot = str(result(name)).rpartition("\nread: ")
    assert before
    assert len(foot.splitlines()) <= 2
    assert "--more" in foot


@EVERY
def test_a_number_stands_at_most_twice(name: str) -> None:
    document = tell(result(name))
    text = str(result(name)).rpartition("\nread: ")[0].replace("over 99", "nearly all")
    if document.listing is not None:  # cells of a table are compared with each other
        text = "\n".join((document.headline, *document.notes))
    numbers = Counter(re.findall(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?", text))
    often = {number for number, count in numbers.items() if count > 2} - _EVERYWHERE
    assert not often, text


@EVERY
def test_jargon_is_one_step_away(name: str) -> None:
    assert not JARGON.search(str(result(name))), str(result(name))


@EVERY
def test_repeats_are_on_fresh_data_and_reruns_on_the_same(name: str) -> None:
    for line in str(result(name)).splitlines():
        assert not ("rerun" in line and "repeat" in line), line


@EVERY
def test_a_terminal_and_print_show_the_same(name: str) -> None:
    found = result(name)
    headline = tell(found).headline
    for text in (str(found), found.more()):
        assert " ".join(text.split()).startswith(" ".join(headline.split()))
    assert repr(found) == f"<{type(found).__name__}: {tell(found).headline}>"
    assert repr(found.more()) == found.more()  # a prompt shows lines, not "\\n"


@EVERY
def test_answers_are_those_that_were_read(name: str, request: pytest.FixtureRequest) -> None:
    """Rewrite with `pytest tests/test_answers.py --rewrite`, and read the difference."""
    path = KEPT / f"{name}.txt"
    text = f"{result(name)}\n"
    if request.config.getoption("--rewrite"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_every_kept_answer_has_its_result() -> None:
    assert {path.stem for path in KEPT.glob("*.txt")} == set(EXAMPLES)


def test_cautions_that_change_the_answer_are_always_shown() -> None:
    document = tell(result("compare-ordinary-t"))
    assert document.cautions[0].first
    assert document.shown_cautions()[0].startswith("this test ignores that the folds share data")
    assert "caution: this test ignores" in str(result("compare-ordinary-t"))
