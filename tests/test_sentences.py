"""No sentence a user can see claims more than is known, or says it in words of its own."""

import re

import pytest

from sentences import Sentence, sentences

EVERY = sentences()
FORBIDDEN = {
    "a chance is an estimate": r"^(?!.*[Aa]bout)[^.]*\bwould hold\b|Would it hold\b",
    "data raise a chance, they make no claim hold": r"make it\s+hold|result (that holds|to hold)\b",
    "the paper did not publish this number": r"\bas published\b(?! (in|by))|published formula",
    "a direction is conditional": r"really (is|are) better|\bcertain which\b",
    "not known is not a coin toss": r"would be a coin toss|repeat[^.]* coin toss",
    "per": r"\b(row|column|line|sentence|file) a (dataset|fold|classifier|score|case|part|model)\b"
    r"|\b(scores|folds|cases|blocks|rows|runs|datasets|tests) a "
    r"(run|fold|dataset|classifier|worker|block|cell|second|minute|split)\b"
    r"|\b(one|several|three) (score|mean|resample|lines|answers) a (dataset|document|model)\b",
    "57%": r"[\d}] %(?![\w{}\\])",
    "one name for the range of a chance": r"95% (limits|band)\b",
    "power that was observed argues for nothing": r"would be found \{\}|chance of the test to",
    "private language": r"\bpair alone again\b|\bahead of the next again\b|what is said at the field",
    "a range that takes the chance back": r"one result cannot tell|cannot tell \{\} from",
    "words that name no thing": r"\bThey are meant\b|\bfound again\b|counts as changes beyond"
    r"|still ahead of the next",
    "inversion": r"\bRead are\b|does not tell will be asked|effect were another",
}
SHOWN_AS_THEY_ARE = (
    "docs/mutants.md",
    "docs/trust.md",
    "docs/studies/",
    "docs/reference/",
    "docs/architecture.md",
)


def test_the_list_reaches_every_surface() -> None:
    places = " ".join(one.place for one in EVERY)
    for part in (
        "README.md", "docs/faq.md", "words/replication.py", "cli/compare.py", "cli/options.py",
        "templates/paper.html.j2", "static/live.js", "reading/assembly.py", "comparison/cautions.py",
    ):  # fmt: skip
        assert part in places, part
    texts = {one.text for one in EVERY}
    assert (
        "The {}probability that a replication {}{} is significant{} in the same direction{} is {}{}{}."
        in texts
    )
    assert "Which t-test the paper used" in texts
    assert "Number of datasets." in texts


@pytest.mark.parametrize("why", FORBIDDEN)
def test_forbidden_words(why: str) -> None:
    found = [one for one in EVERY if _told(one) and re.search(FORBIDDEN[why], one.text)]
    assert not found, "\n".join(f"{one.place}  {one.text[:200]}" for one in found)


def _told(one: Sentence) -> bool:
    return not one.place.startswith(SHOWN_AS_THEY_ARE)


@pytest.mark.parametrize(
    ("why", "bad", "good"),
    [
        ("a chance is an estimate", "It would hold in 57%.", "About 57 in 100 would hold."),
        ("the paper did not publish this number", "as published 73%", "takes it for the truth"),
        ("per", "one row a dataset", "one row per dataset"),
        ("per", "with several scores a classifier", "is a run a classifier needs?"),
        ("57%", "57 % of repeats", "57% of repeats"),
        ("a direction is conditional", "that it really is better", "if one is better at all"),
    ],
)
def test_the_patterns_tell_good_from_bad(why: str, bad: str, good: str) -> None:
    assert re.search(FORBIDDEN[why], bad)
    assert not re.search(FORBIDDEN[why], good)
