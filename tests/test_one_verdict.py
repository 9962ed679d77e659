"""Every surface gives the verdict of the record: no sentence, table or picture takes it back."""

import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replicast as rc
from replicast.comparison.records import Comparison
from replicast.presentation.telling import rendered, tell

pytestmark = pytest.mark.filterwarnings(
    "ignore::replicast.errors.DegenerateScoresWarning"
)  # equal differences are among them


def plain(text: str) -> str:
    shown = re.sub(r"<(style|script).*?</\1>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", shown)).replace("\\", "").split())


def surfaces(found: Comparison) -> dict[str, str]:
    """Return what a reader meets of a comparison, wherever it is shown."""
    files = {ending: rendered(found, ending).decode() for ending in (".html", ".md", ".tex")}
    told = {
        **files,
        "text": found.more(),
        "headline": tell(found).headline,
        "quote": tell(found).quote,
        "notebook": found._repr_html_(),
        "record": str(found),
    }
    return {where: plain(words) for where, words in told.items()}


def folds(design: Any, differences: Any, **known: Any) -> rc.PairedScores:
    differences = np.asarray(differences)
    second = np.full(len(differences), 0.7)
    return rc.PairedScores(
        first=second + differences, second=second, design=design, names=("new", "old"), **known
    )


def right_or_wrong(cases: int, gained: int, lost: int) -> rc.PairedScores:
    first, second = np.ones(cases), np.ones(cases)
    second[:gained], first[gained : gained + lost] = 0, 0
    return rc.PairedScores(first=first, second=second, design=rc.Holdout(), names=("new", "old"))


WAVE = np.array([1, -1, 2, -2, 1, -1, 3, -3, 0.5, 0.2]) / 1000
REPEATED = rc.RepeatedKFold(runs=2, folds=5)
WITHIN = {
    "folds": (folds(REPEATED, WAVE), {}),
    "datasets": (folds(rc.Datasets(), WAVE), {}),
    "sizeable by ranks": (folds(rc.Datasets(), np.abs(WAVE[:5]) * [1, 1, 1, 1, -1]), {}),
    "halves": (folds(rc.FiveByTwo(), WAVE), {}),
    "cases": (folds(rc.Cases(), np.tile(WAVE, 4)), {}),
    "right or wrong": (right_or_wrong(1000, 5, 4), {}),
    "the same": (folds(rc.KFold(10), np.zeros(10)), {}),
    "a posterior": (folds(REPEATED, WAVE), {"method": "correlated-posterior"}),
}


@pytest.mark.parametrize("kind", WITHIN)
def test_what_the_record_calls_equivalent_is_so_everywhere(kind: str) -> None:
    """A page once said equivalent and, three lines below, no evidence that they are equal."""
    pair, options = WITHIN[kind]
    found = rc.compare(pair, rope=0.02, **options)
    record = found.to_dict()["verdict"]
    assert record["outcome"] == "equivalent"
    assert (record["case"], record["group"]) == (None, None)
    if not options:
        assert record["region"] == {"width": 0.02, "source": "named"}
        assert rc.gate(pair, margin=0.02, goal="equivalent").outcome == "pass"
    for where, words in surfaces(found).items():
        if kind != "the same" or where != "headline":
            assert "equivalent" in words, where
        for other in ("not evidence", "ignificant difference", "did not differ", "outperformed",
                      "too little data", "happen again", "a replication", "larger repeat"):  # fmt: skip
            assert other not in words, where


def test_without_a_region_nothing_is_equivalent() -> None:
    for pair, _ in WITHIN.values():
        for where, words in surfaces(rc.compare(pair)).items():
            assert "equivalent" not in words, where


@st.composite
def pairs(draw: Any) -> rc.PairedScores:
    """Draw scores of every design, rounded as people write them: bounds then meet differences."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["datasets", "folds", "runs", "splits", "halves", "cases",
                                 "clusters", "right or wrong", "seeds"]))  # fmt: skip
    if kind == "right or wrong":
        cases = int(rng.choice([20, 60, 100, 300]))
        return right_or_wrong(cases, *rng.integers(0, cases // 10 + 1, 2).tolist())
    n = int(rng.choice([5, 6, 12, 20]))
    design: Any = {
        "datasets": rc.Datasets(), "folds": rc.KFold(n), "halves": rc.FiveByTwo(),
        "runs": rc.RepeatedKFold(runs=3, folds=5),
        "splits": rc.RandomSplits(splits=n, n_train=80, n_test=20),
        "cases": rc.Cases(), "clusters": rc.Cases(), "seeds": rc.Seeds(5, splits=3),
    }[kind]  # fmt: skip
    n = design.n_scores or n
    spread, places = rng.choice([0.001, 0.004, 0.01]), int(rng.choice([2, 3, 5]))
    differences = np.round(rng.normal(rng.choice([0.0, 0.002]), spread, n), places)
    known = {"clusters": np.sort(rng.integers(0, 4, n))} if kind == "clusters" else {}
    return folds(design, differences, **known)


AT_ODDS = [  # before, one said equivalent and the other that it cannot tell
    (right_or_wrong(20, 1, 0), 0.2), (right_or_wrong(60, 3, 1), 0.1), (right_or_wrong(100, 2, 1), 0.05),
    (right_or_wrong(100, 10, 7), 0.1), (right_or_wrong(200, 2, 2), 0.02),
    (folds(rc.Datasets(), np.array([6, 3, 4, -6, -3, 2, 2, -2, -4, 1]) / 1000), 0.003),
    (folds(rc.FiveByTwo(), np.array([6, 3, -1, 2, -3, 3, -1, -3, 1, -2]) / 1000), 0.006),
]  # fmt: skip


@pytest.mark.parametrize(("pair", "width"), AT_ODDS, ids=range(len(AT_ODDS)))
def test_a_region_and_a_gate_agree_where_they_did_not(pair: rc.PairedScores, width: float) -> None:
    outcome = rc.compare(pair, rope=width).verdict.outcome
    passed = rc.gate(pair, margin=width, goal="equivalent").outcome == "pass"
    assert (outcome == "equivalent") == passed


@given(pairs(), st.sampled_from([0.003, 0.005, 0.01, 0.02, 0.05, 0.1]))
@settings(max_examples=60, deadline=None)
def test_a_region_and_a_gate_agree(pair: rc.PairedScores, width: float) -> None:
    outcome = rc.compare(pair, rope=width).verdict.outcome
    passed = rc.gate(pair, margin=width, goal="equivalent").outcome == "pass"
    if "better" not in outcome:  # who is better by less than the margin passes too
        assert (outcome == "equivalent") == passed


# --------------------------------------------------------------------------- halves that disagree
PAPER = np.array([3, 2, 6, 5, -2, -1, 3, 2, 3, 3]) / 100


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("differences", [PAPER, PAPER - PAPER.mean()], ids=["ahead", "mean zero"])
def test_a_test_that_rejects_every_difference_names_no_winner(
    differences: np.ndarray, sign: int
) -> None:
    found = rc.compare(folds(rc.FiveByTwo(), sign * differences))
    assert found.evidence.pvalue < 0.05
    assert not np.isfinite(found.evidence.confidence_interval()).any()
    assert (found.verdict.outcome, found.verdict.significant) == ("inconclusive", False)
    for where, words in surfaces(found).items():
        for winner in ("ahead", "outperformed", "significant in", "ignificant difference"):
            assert winner not in words, where
    both = rc.ScoreTable(
        classifiers=found.scores.names,
        datasets=("d",),
        design=rc.FiveByTwo(),
        scores=np.stack([found.scores.first, found.scores.second]).reshape(2, 1, 5, 2),
    )
    (cell,) = rc.rank(both).pairs
    assert not cell.significant


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.02, 0.2]))
@settings(max_examples=100, deadline=None)
def test_five_by_two_follows_its_interval(seed: int, mean: float) -> None:
    rng = np.random.default_rng(seed)
    runs, within = rng.normal(mean, 0.02, 5), rng.normal(0, rng.choice([0.002, 0.02]), 10)
    found = rc.five_by_two_ftest(folds(rc.FiveByTwo(), np.repeat(runs, 2) + within))
    for level in (0.01, 0.05, 0.2):
        low, high = found.confidence_interval(1 - level)
        outside = "first better" if low > 0 else "second better" if high < 0 else "inconclusive"
        assert rc.decide(found, significance=level).outcome == outside


# --------------------------------------------------------------------------- too few, and nothing at all
@pytest.mark.parametrize(
    "differences", [[0.2, -0.01, -0.02], [0.1, 0.02], [0.05, 0.01, 0.02, 0.03]]
)
def test_too_few_datasets_are_not_called_negligible_nor_hopeless(differences: list[float]) -> None:
    """5.4 points ahead, r = 0.00 negligible, and a chance of 0% with a range from 0% to 0%."""
    found = rc.compare(folds(rc.Datasets(), differences))
    assert found.effect.label is None
    assert found.verdict.case is None
    for where, words in surfaces(found).items():
        shown = words.replace("small or large", "")
        assert not re.search(r"\b(negligible|small|medium|large|None)\b", shown), where
        assert not re.search(r"\b0% to 0%|\[0%, 0%\]|rivals", shown), where
    assert "can never be significant" in tell(found).quote
    (cell,) = rc.rank(
        rc.ScoreTable(
            classifiers=("new", "old"),
            datasets=tuple("abcd"[: len(differences)]),
            design=rc.Datasets(),
            scores=np.stack([found.scores.first, found.scores.second])[:, :, None, None],
        )
    ).pairs
    assert cell.effect_label is None


@pytest.mark.parametrize("design", [rc.Datasets(), rc.KFold(10), rc.Cases(), rc.FiveByTwo()])
@pytest.mark.parametrize("difference", [0.0, 0.05])
def test_what_has_no_interval_has_none_in_pictures(design: Any, difference: float) -> None:
    found = rc.compare(folds(design, np.full(10, difference)))
    told = surfaces(found)
    amount = f"{100 * difference:.1f}"
    for where, words in told.items():
        assert f"[{amount}, {amount}]" not in words, where
        assert "the bar its" not in words, where
    if not difference:
        for where, words in told.items():
            for forecast in ("Berrar", "larger repeat", "under 1%", "happen again"):
                assert forecast not in words, (where, forecast)
        assert json.loads(rendered(found, ".json"))["verdict"]["outcome"] == "inconclusive"


def test_the_sentence_to_quote_is_about_the_leader() -> None:
    """Its interval and t once had the sign of the first column, whoever was better."""
    rng = np.random.default_rng(3)
    worse = rng.normal(0.8, 0.02, 10)
    better = worse + rng.normal(0.05, 0.01, 10)
    for design in (rc.KFold(10), rc.Datasets()):
        pair = rc.PairedScores(first=worse, second=better, design=design, names=("old", "new"))
        turned = rc.PairedScores(first=better, second=worse, design=design, names=("new", "old"))
        quote = tell(rc.compare(pair)).quote
        assert quote.startswith("new (")
        assert quote == tell(rc.compare(turned)).quote


def test_an_assumed_direction_is_said(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("fold,a,b\n" + "".join(f"{k},0.9{k},0.8{9 - k}\n" for k in range(10)))
    table = rc.read_scores(path)
    found = rc.compare(table.pair("a", "b"))
    assert str(found).startswith("a scores higher than b by")
    assert "read: score (higher is better, assumed: --lower-is-better)" in str(found)
    assert "score (higher is better, assumed" in " ".join(str(rc.rank(table)).split())
    assert rc.rank(table).to_dict()["direction"] == "assumed"
    named = rc.compare(rc.read_scores(path, metric="accuracy").pair("a", "b"))
    assert str(named).startswith("a is better than b by")
