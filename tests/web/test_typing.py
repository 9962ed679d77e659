"""Numbers as people type them, or copy them from papers, into the fields of a form."""

from typing import Any, get_args

import httpx
import pytest

from replicast.formatting import AtMost
from replicast.web.forms import (
    JudgeQuestion,
    MeansQuestion,
    PaperQuestion,
    PlanQuestion,
    Question,
    ScoresQuestion,
)
from replicast.web.mistakes import MistakesError, domain_of, parse
from replicast.web.pilot import read_pilot

KINDS = (PaperQuestion, PlanQuestion, JudgeQuestion, MeansQuestion, ScoresQuestion)
FIELDS = [
    (kind, name)
    for kind in KINDS
    for name, field in kind.model_fields.items()
    if "number" in domain_of(field)
]


def read(kind: type[Question], name: str, text: str) -> Any:
    try:
        return getattr(parse(kind, {name: text}), name)
    except MistakesError:
        return None


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_every_field_reads_a_number_as_it_is_printed(kind: type[Question], name: str) -> None:
    """A true minus, which replicast itself prints, and a decimal comma were once no numbers."""
    plain = [text for text in ("0.75", "2.5", "-2.5", "-0.125", "20", "500", "1234") if
             read(kind, name, text) is not None]  # fmt: skip
    assert plain
    whole = int in get_args(kind.model_fields[name].annotation) or "whole" in domain_of(
        kind.model_fields[name]
    )
    for text in plain:
        found = read(kind, name, text)
        assert read(kind, name, text.replace("-", "−")) == found
        assert read(kind, name, f" {text.replace('-', '–')} ") == found
        if "." in text:
            assert read(kind, name, text.replace(".", ",")) == found
    if "1234" in plain:  # a comma may part thousands or decimals; only whole numbers tell
        assert read(kind, name, "1,234") == (1234 if whole else None)


def test_what_a_comma_means_is_asked_where_it_may_be_either() -> None:
    with pytest.raises(MistakesError, match="with a decimal point, or without a comma between"):
        parse(PaperQuestion, {"t": "2,900"})


@pytest.mark.parametrize("typed", ["<0.001", "< .001", "p<0,001", "P ≤ 0.001", "<=1e−3"])
def test_a_p_value_may_be_an_upper_limit(web: httpx.Client, typed: str) -> None:
    question = parse(PaperQuestion, {"pvalue": typed, "folds": "10"})
    assert question.pvalue == 0.001
    assert isinstance(question.pvalue, AtMost)
    assert "pvalue=%3C0.001" in question.link("/paper")
    asked = {"pvalue": typed, "folds": "10"}
    page = web.get("/paper", params=asked)
    assert page.status_code == 200
    assert "the chance is at least the one shown" in page.text
    assert "p &lt; 0.001, read as 0.001" in page.text
    told = web.get("/api/paper", params=asked).json()
    exact = web.get("/api/paper", params={"pvalue": "0.001", "folds": "10"}).json()
    assert told["replication"]["probability"] == exact["replication"]["probability"]
    codes = [[one["code"] for one in x["replication"]["cautions"]] for x in (told, exact)]
    assert ["upper-limit" in found for found in codes] == [True, False]


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("93.4 ± 1.2 vs 92.1 ± 1.0 (10-fold CV)", {"folds": "10"}),
        ("**93.4** ± 1.2 against 92.1 ± 1.0 (5x2 cv)", {"folds": "2", "runs": "5"}),
        ("93.4 (1.2) vs 92.1 (1.0) (5 seeds)", {"seeds": "5"}),
    ],
)
def test_means_are_read_as_a_paper_writes_them(
    web: httpx.Client, typed: str, same: dict[str, str]
) -> None:
    told = web.get("/api/means", params={"first_mean": typed, "folds": "10"})
    means = {"first_mean": "93.4", "second_mean": "92.1", "first_sd": "1.2", "second_sd": "1.0"}
    assert told.status_code == 200, told.text
    assert told.json() == web.get("/api/means", params=means | same).json()
    page = web.get("/means", params={"first_mean": typed, "folds": "10"})
    assert 'value="92.1"' in page.text
    refused = web.get("/api/means", params={"first_mean": f"{typed} (luck)", "folds": "10"})
    assert "`first_mean` must be a number" in refused.json()["error"]


def test_other_fields_take_no_limits() -> None:
    for kind, name in FIELDS:
        if name != "pvalue":
            assert read(kind, name, "<0.5") is None


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("0,93;0,90\n0,95;0,94\n0,91;0,90", "0.93 0.90\n0.95 0.94\n0.91 0.90"),
        ("a 0,93 0,90\nb 0,95 0,94\nc 0,91 0,90", "0.93 0.90\n0.95 0.94\n0.91 0.90"),
        ("−1.5\n–2\n3", "-1.5\n-2\n3"),
        ("85.5,80\n84,81\n83,82", "85.5 80\n84 81\n83 82"),
    ],
)
def test_a_pilot_with_commas_is_read(text: str, same: str) -> None:
    assert read_pilot(text) == read_pilot(same)


def test_a_pilot_whose_commas_are_one_number_or_two_is_not_guessed() -> None:
    """`2,9` on each line was once read as the scores 2 and 9."""
    with pytest.raises(Exception, match="numbers with a comma, which are one or two"):
        read_pilot("2,9\n3,1\n2,5")
